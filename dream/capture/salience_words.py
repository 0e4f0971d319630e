"""The cue phrases by which a sentence shows how much load it carries, French and English, folded (no case, no accents).

A cue is a phrase of one or more words; a signal is what its presence tells. Cues are words of either language that any
speaker uses; no name, product or domain stands here. Weights and their reading are in `salience.py`.
"""

CUES = {
    "save": """\
remember|a garder|to keep|worth keeping|lesson learned|lesson learnt|lecon|pour plus tard|for later
|bon a savoir|good to know|keep in mind|bear in mind|note that|please note|take note|for the record
|don't forget|do not forget|reminder|heads up|fyi|for your information|for context|some context
|just so you know|worth knowing|n'oublie pas|n'oubliez pas|souviens toi|souvenez vous|retiens|retenez
|note bien|note que|notez|a noter|a retenir|pour info|pour information|pour memoire|rappel|je te rappelle
|je vous rappelle|je rappelle|garde en tete|gardez en tete|sache que|sachez que|memorise|petite precision
|il faut savoir""",
    "repeat": """\
as i said|as i told you|like i said|as said|as mentioned|i repeat|once more|as agreed|same as before|still
|again|as before|as always|as usual|no change|unchanged|je repete|je le redis|je redis|comme dit
|comme je disais|comme je l'ai dit|comme convenu|comme avant|comme toujours|comme d'habitude|encore une fois
|toujours|on ne change rien|rien ne change|inchange""",
    "rule": """\
always|never|must|must not|mustn't|mandatory|forbidden|banned|not allowed|prohibited|required|whenever
|every time|each time|without exception|no exceptions|under no circumstances|by default|do not ever
|don't ever|the rule is|our rule|our policy|jamais|doit|doivent|devons|obligatoire|obligatoirement|interdit
|interdite|interdits|systematiquement|pas question|sans exception|en aucun cas|a chaque fois|chaque fois
|par defaut|la regle est|notre regle|proscrit|il faut toujours|toujours utiliser|we always|we never|i always
|i never|on ne fait jamais""",
    "norm": """\
have to|has to|should|shall|requires|at most|at least|no more than|no less than|make sure|ensure|avoid
|no one|nobody|everywhere|do not|don't|toujours|il faut|faut|ne faut|au maximum|au plus|au moins|evite
|evitez|partout|tous les|toutes les|personne ne|ne pas|we follow|we write|on suit|on ecrit|is named
|are named|se nomme|se nomment|s'appelle|s'appellent|goes in|go in|live in|lives in|va dans|vont dans
|lives there|lives here|takes a|takes an|se met|se mettent|on met|we put|toujours en|en chiffres
|at the end of|a la fin de|in italics|en italique|au debut|en majuscules|en minuscules|in capitals|always in
|starts with|start with|begins with|begin with|ends with|end with|commence par|commencent par|finit par
|finissent par|suivi de|followed by|needs a|need a|each|chaque
|only in|only on|only for|every time|each week|every week|every month|chaque semaine|chaque mois
|tous les jours|every day""",
    "decision": """\
we decided|i decided|decided|we agreed|agreed|we settled|settled on|we chose|i chose|we picked|we went with
|we go with|going with|go with|let's go with|final answer|the decision|it is decided|decision|we rely
|rely on|relies on|ended up|we set|set to|approved|signed off|chosen|we keep|we stick|stick with|on a decide
|nous avons decide|c'est decide|c'est acte|acte|on part sur|on retient|retenu|on a choisi|nous avons choisi
|choisi|on a fixe|fixe a|fixee a|on s'appuie|s'appuie|s'appuient|repose sur|reposent sur|on reste|on garde
|on conserve|valide|validee|approuve|arbitrage|tranche|on mise sur|c'est parti pour|adopte|adopted
|standardised on|standardized on|agreed with|on part avec|on va sur|we build|we built|we ship|we run
|on tourne|on livre|on deploie|on compile|on bosse|on travaille|c'est la cible|that's our target|our target
|notre cible|on vise|we aim|convention|conventions|standard|signe avec|signed with""",
    "update": """\
from now on|no longer|not anymore|anymore|any more|instead of|instead|rather than|in place of|replaced
|replaces|replacing|replacement|switched|switching|we switch|moved to|moved from|moving to|migrated
|migrating|changed to|changed from|changes to|is now|are now|is out|are out|is gone|are gone|is dead
|deprecated|retired|dropped|correction|scratch that|scratch what|strike that|i was wrong|i misspoke
|my mistake|i got it wrong|going forward|as of|starting|increased|increases|raised|raises|lowered|reduced
|bumped|goes up|went up|goes down|went from|goes from|takes over|took over|succeeds|succeeded|these days
|nowadays|renamed|becomes|became|extended to|shortened to|postponed|brought forward|rescheduled|pushed back
|pushed to|moved up|down to|desormais|dorenavant|a partir|a compter|n'est plus|ne sont plus|non plus|et non
|plus maintenant|c'est fini|c'est termine|est termine|a la place|au lieu|plutot que|remplace|remplacent
|remplacera|remplacement|bascule|basculons|on passe a|on passe sur|on est passe|on est passes|passe de
|passent de|passe a|passent a|passera a|passera de|on saute|changement|oublie|oubliez|erratum|trompe|trompee
|augmente|augmentent|baisse|baissent|migre|migres|revient a|rectification|prend la suite|prend le relais
|succede|abandonne pour|au profit|devient|deviennent|reporte|reportee|avance au|avancee au|decale|decalee
|deplace|deplacee|ramene a|porte a|portee a|prolonge|renomme en|n'utilise plus|n'utilisons plus
|on n'est plus|on quitte|we leave|we left|auparavant|avant c'etait|make that|make it|scrap|scrapped
|debranche|on enleve|on supprime|on a vire|got rid of|switched off|turned off|a remplace|has replaced
|have replaced|prend le poste|takes the job|nomme|nommee|appointed|repart sur|repartons sur|on repart
|ended up going|we're on|we are on|on est sur|suffit maintenant|il faut maintenant|bumping|on monte a
|on descend a|monte a|descend a|go to|passera|passeront|passee|change de|changed our mind|on a change
|change d'avis|depuis hier|since yesterday|no more|plus de|c'est plus|to be replaced|sera remplace|sort de
|upgraded|downgraded|mis a jour vers|new owner|from today|starting today|a dater|rectif
|correctif sur|erreur de ma part|i meant|je voulais dire|over to|handed over|hands over|passe la main
|any longer|parti de|partie de|partis de|sorti de|left for|on va chez|on passe chez|on passe par|passe chez""",
    "fresh": """\
new|nouveau|nouvelle|now|maintenant|at last|finally|enfin|ca y est|finalement|en fait|update|former|ancien
|ancienne|previously|used to|up to|not the|it was|c'etait|goes to|went to|moves to|officially|officiellement
|par contre|effective|bump|is in|are in|these days|actually|du coup""",
    "retract": """\
cancel|cancelled|canceled|cancels|called off|is off|lifted|revoked|no longer required|no longer needed
|no longer applies|not required anymore|not needed anymore|don't need|no need|forget about|never mind
|withdrawn|abandoned|void|annule|annulee|annules|annulees|annulons|plus besoin|plus obligatoire
|plus necessaire|plus la peine|plus valable|plus d'actualite|levee|leve|laisse tomber|on abandonne|abandonne
|on arrete|caduc|caduque|ne tient plus|ne s'applique plus|tombe a l'eau|supprimee|no more|scrap that
|scrap it|drop that|forget that|plus de|plus question|est levee|n'est plus valable|no longer valid
|on n'en parle plus|c'est annule|it's cancelled|is cancelled|overruled|on laisse tomber""",
    "preference": """\
i prefer|i like|i love|i hate|i dislike|i want|i'd rather|i would rather|i can't stand|i can't have
|my favourite|my favorite|i don't like|i'm allergic|allergic|i never|i always|i don't take|i don't
|je prefere|j'aime|j'adore|je deteste|je veux|je souhaite|je n'aime pas|j'aimerais que tu|mon prefere
|ma preferee|allergique|intolerant|vegetarian|vegan|vegetarien|vegetarienne|we prefer|on prefere
|nous preferons|please use|use|prends|utilise|utilisez|call me|appelle moi|reponds|answer me|address me
|tutoie|vouvoie|tutoyer|vouvoyer|no meetings|pas de reunion""",
    "collective": """\
we|our|ours|us|on|nous|notre|nos|chez nous|the team|l'equipe|my|mon|ma|mes|i|je|j'ai|i'm|i'll|i've""",
    "person": """\
is the|is our|is my|est le|est la|est mon|est ma|est notre|responsible|in charge|owner|owns|leads|lead
|manager|head of|contact|reports to|works on|works with|ask|ask for|takes care|looks after|handles
|responsable|en charge|charge de|chargee de|s'occupe|s'occupent|dirige|chef|patron|patronne|demande a
|demandez a|voir avec|il faut voir|on voit avec|mr|mrs|dr|mme|boss|gere|pilote|talk to|go to|belongs to
|assigned to|in finance|colleague|collegue|client|customer|supplier|fournisseur|assure|looked after
|point of contact|interlocuteur|interlocutrice|avec qui""",
    "event": """\
today|tonight|yesterday|tomorrow|last night|last week|next week|last month|next month|last year|next year
|ago|fortnight|deadline|due|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays
|wednesdays|thursdays|fridays|this month|january|february|april|june|july|august|september|october|november
|december|scheduled|takes place|happens|launch|launched|released|tagged|signed|shipped|opens|opened|closes
|starts on|ends on|aujourd'hui|hier|avant hier|demain|apres demain|la semaine prochaine|la semaine derniere
|le mois prochain|le mois dernier|l'an prochain|l'an dernier|il y a|dans quinze|dans huit|ce mois ci
|echeance|date limite|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|fevrier|avril|juin|juillet
|aout|septembre|octobre|novembre|decembre|prevu|prevue|aura lieu|a eu lieu|ont lieu|se tient|lancement|lance
|lancee|signe|signee|ouvre|ouvert|ferme|demarre|commence le|se termine|rendez vous|appointment|meeting
|reunion""",
    "error": """\
bug|error|errors|fails|failed|failing|failure|crash|crashed|crashes|outage|incident|broke|broken|root cause
|caused by|because of|flaky|regression|exception|leak|the fix|fixed by|the cure|post mortem|postmortem
|workaround|the cause|turned out|erreur|erreurs|echoue|echec|plante|plantage|panne|casse|cassee|a cause
|cause par|causee par|venait de|venait du|vient de|vient du|d'ou vient|instable|fuite|corrige par
|le correctif|contournement|la cause|le coupable|saute quand|defaillance|defaut""",
    "hypothetical": """\
maybe|perhaps|might|what if|someday|some day|one day|we could|i could|could we|would be nice|it would be
|thinking out loud|nothing decided|not decided|undecided|hypothetically|if we ever|not sure|i guess
|thinking about|thinking of|considering|toying|tempted|in theory|daydreaming|in a dream world|wishful
|if only|had we|let's see|we'll see|peut etre|et si|un jour|on pourrait|je pourrais|nous pourrions
|je me demande|j'hesite|ce serait|supposons|imaginons|science fiction|rien de decide|pas decide
|pas encore decide|pas sur|pas sure|a voir|eventuellement|j'envisage|on envisage|on verra|en theorie
|dans l'absolu|dans l'ideal|on y pense|je reflechis|si jamais|reflexion a voix haute|ca pourrait
|pourrait etre|could be|may be|probably|sans doute|probablement|i wonder|was wondering|were wondering
|wondering if|wondering about|wondering whether|on se demandait|je me demandais|simple curiosite
|just curious|out of curiosity|par curiosite|daydream|un de ces jours|one of these days|down the road
|in an ideal world|dunno|don't know yet|not sure yet|je sais pas encore|je ne sais pas encore|pas encore sur
|would be cool|wouldn't it be|ce serait cool|j'aimerais bien un jour|if i go|si j'y vais|nah""",
    "transient": """\
right now|at the moment|for now|just now|for the time being|this minute|hold on|brb|back in a minute
|back in a sec|back in five|back in ten|back in an hour|one sec|wait
|ignore it|don't mind|don't be surprised|slow today|tired|hungry|headache|sleepy|raining|noisy|lagging
|stuck in|on the train|in the train|running late|en ce moment|pour l'instant|pour le moment|tout de suite
|la maintenant|ne t'etonne pas|t'inquiete|attends|deux secondes|fatigue|fatiguee|faim|mal de tete|mal au
|il pleut|du bruit|dans le train|dans le metro|en retard|je reviens|une minute|cinq minutes|my laptop
|mon ordi|battery|batterie|wifi|weather|la meteo|is red|is down|are down|est rouge|est tombe|est en carafe
|rame|ca rame|j'arrive|i'm off|je file|je pars|j'y vais|je sors|a toute|je vais|il est tard|stress|canicule
|je suis en|i'm in a|gotta go|got to go|need to run|heading out|voyons|let me see|merci pour tout
|thanks for everything|petit point|on repart de zero|back from|de retour|raconte n'importe quoi|i'm tired
|creve|crevee|epuise|epuisee|malade|sick|au telephone|on the phone|en reunion|in a meeting|dehors|outside
|there's a storm|orage|noise|bruyant|mollement|long day|longue journee|je rentre|i'm home|je mange|eating
|off to|nap|petite session|before the night|sigh|haha|ha that|literally|in the bath|aux toilettes
|est en panne|mitaines|smells|ca sent|bear with me|i'm freezing|i am freezing|i dreamt|i dreamed|had a dream
|j'ai reve|du lag|on strike|train strike|en greve|on s'arrete la|c'est tout pour aujourd'hui
|that's it for today|je te reponds apres""",
    "one_off": """\
just this once|this once|only this time|this time only|this one time|for this one|only in this|only for this
|just for this|just in this|one off|one time|exceptionally|for this script|for this file|for this test
|for today only|just for today|just today|pour cette fois|cette fois ci|seulement cette fois
|juste cette fois|uniquement dans ce|uniquement pour ce|seulement dans ce|seulement pour ce|juste pour ce
|juste pour cette|juste dans ce|juste ici|rien que pour|exceptionnellement|pour ce coup ci|pour ce script
|pour ce fichier|pour ce test|pour aujourd'hui seulement|juste pour aujourd'hui|une fois n'est pas coutume""",
    "hearsay": """\
someone wants|somebody wants|someone on|someone said|somebody said|people say|i read that|i read|i heard
|apparently|rumour|rumor|they say|a friend|some blog|an article|suggested we|wants us to try|quelqu'un
|on m'a dit|il parait|parait que|j'ai lu|j'ai entendu|apparemment|certains disent|un ami|une amie|un article
|un blog|on raconte|a ce qu'il parait|a suggere|me suggere|suggested some|insists on|insiste pour
|insiste sur|wants me to try|me pousse a|swears by|ne jure que par|raconte que|racontent que|raconte qu'on
|pretend que|pretendent que|claims that
|claim that|reckons that|a vendor told|a vendor says|un vendeur dit|un collegue dit|a colleague says
|someone proposed|somebody proposed|quelqu'un propose""",
    "rejection": """\
no thanks|not now|not yet|no way|nope|i'd rather not|keep it simple|non merci|laisse tomber|pas maintenant
|pas pour l'instant|c'est non|answer is no|i said no|we said no|j'ai dit non|turned it down|turned that down
|we will not add|we won't add|on n'ajoute pas|surtout pas|on laisse|sans moi|hors de question|never mind
|let's not|on ne fait pas
|ca non|pas la peine""",
    "proposal": """\
i'd suggest|i suggest|i would suggest|i propose|i recommend|i'd recommend|i'd go|i would go|i could|shall i
|should i|do you want me|want me to|would you like|how about|what about|we could|let me know if|if you agree
|i'd use|i would use|i'd say|i'd keep|i'd put|je propose|je suggere|je recommande|je te propose|je conseille
|je te conseille|je pourrais|tu veux que|veux tu|ca te va|ca vous va|vous voulez|d'accord pour|je partirais
|je mettrais|j'utiliserais|je choisirais|on pourrait|qu'en penses tu|qu'en dis tu|on part la dessus
|i can set|i'd pick|i'd set""",
    "injection": """\
system note|note for the assistant|ignore previous|ignore all previous|ignore your instructions
|disregard previous|remember permanently|as an ai|to the assistant|for the assistant|new instructions
|override your|system prompt|ignore les instructions|ignore tes instructions|note systeme
|a l'attention de l'assistant|oublie tes instructions|instruction systeme|never asks for confirmation
|without asking the user|sans demander a l'utilisateur""",
    "past": """\
c'etait|was fine|was nice|was good|was great|had its day|a fait son temps|plus personne|used to|nobody here
|no one here|est mort|is dead|is history|c'est du passe|the old one|l'ancien|l'ancienne|les anciens|the old
|served us well|prend sa retraite|est parti|est partie|is gone|has left|resigned|quits|nous quitte|is over
|c'est fini|c'est termine|left us|is leaving|s'en va|part a la retraite|retires|is retiring|a demissionne
|degat|is closed|ferme ses portes|got a job|new job|changed jobs|changes jobs|starts his|starts her
|on sabbatical|en sabbatique|parental leave|conge parental|maternity leave|conge maternite|moved away
|has gone|no longer here|n'est plus la""",
    "cure": """\
the fix was|the fix is|fixed by|solved by|the trick|workaround|the cure|freeze|solution|resolved by
|la solution|le correctif|corrige en|resolu en|contournement|l'astuce|il suffit|just needs|the remedy
|le remede""",
}

YES = """\
yes|yep|yeah|yup|ok|okay|sure|go|go ahead|go for it|do it|perfect|great|good|fine|agreed|deal|sounds good
|sounds right|works for me|please do|make it so|let's do it|let's go|oui|ouais|d'accord|vas y|allez y|allez
|parfait|super|tres bien|ca marche|ca me va|va pour|fais le|fais ca|banco|adjuge|bonne idee|good idea
|nice idea|je valide|valide|valid|approved|c'est bon|entendu|exactement|exactly|absolutely|of course
|bien sur|volontiers|on fait ca|on part la dessus|sold|i like it|j'aime bien|ship it|c'est parti"""

NO = """\
no|nope|nah|non|no thanks|not now|non merci|laisse tomber|surtout pas|rather not|pas maintenant|let's not
|don't|forget it|oublie|bof|wait|attends|hold off|later|plus tard|keep it simple|pas question"""

CHATTER = """\
re|hi|hello|hey|hiya|salut|bonjour|bonsoir|coucou|yo|bye|ciao|thanks|thank|you|merci|cheers|lol|haha|nice
|cool|great|super|ok|okay|k|bon|ben|euh|hm|hmm|mh|ah|oh|wow|good|morning|night|evening|day|bonne|soiree
|journee|nuit|a|demain|tout|plus|toute|l'heure|see|later|tomorrow|wait|attends|phone|tel|brb|back|again|on
|reprend|let's|get|going|go|where|were|we|ou|en|etait|j'arrete|arrete|la|that's|all|for|today|signing|off|je
|verifie|i|check|let|me|look|d'accord|entendu|noted|note|c'est|got|it|sounds|right|fine|perfect|parfait|tres
|bien|recu|compris|understood|yes|oui|non|no|yep|voila|alors|donc|so|well|sure|deal|welcome|de|rien|please
|stp|svp|moment|sec|minute|un|une|one|here|ici|done|fini|pret|ready|am|is|to|the|start|commence|commencons
|c'etait|hop|zut|mince|oups|oops|argh|pfff|bref|anyway|next|suivant|suite|continue|continuons|vas|y|tu|es"""

# Verbs that open a piece of work asked for now; English base forms, French imperatives and infinitives.
TASK_EN = """\
add|fix|refactor|rename|write|explain|check|run|look|show|update|remove|delete|create|implement|test|debug
|leave a|leave me a
|review|revert|extract|split|generate|clean|format|merge|rebase|commit|push|open|close|find|search|list
|print|install|build|convert|translate|summarise|summarize|draft|compare|try|rerun|restart|read|describe
|tell|give|help|rewrite|move|copy|paste|change|adjust|tweak|improve|optimise|optimize|simplify|replace|wrap
|document|comment|uncomment|bump|upgrade|downgrade|publish|tag|deploy|investigate|analyse|analyze|figure
|trace|profile|measure|compute|calculate|count|sort|filter|group|plot|draw|sketch|design|propose|suggest
|brainstorm|outline|proofread|polish|shorten|expand|finish|complete|continue|start|stop|undo|redo|make|put
|set up|wire|hook|drop|insert|append|scaffold|stub|mock|validate|verify|confirm|inspect|grep|diff|patch|book
|order|send|email|schedule|prepare|plan|fetch|download|upload|export|import|load|save|migrate|reorganise
|reorganize|reformat|lint|reply|answer|turn|pull|ping|reindex|regenerate|recompute|double-check|cross-check
|walk|go through|take a look|have a look|get|do|redesign|restyle|adapt|aggregate|align|annotate|anonymise
|apply|arrange|assemble|assess|assign|attach|audit|automate|backport|benchmark|bisect|browse|buy|calibrate
|cancel|chart|checkout|cite|clarify|classify|clone|code|collate|collect|combine|compile|compose|compress
|configure|connect|correct|crop|cut|decode|decompile|deduplicate|detect|diagnose|disable|display|dump
|duplicate|edit|enable|encode|encrypt|enumerate|estimate|evaluate|examine|execute|explore|extend|fill
|finalise|finalize|flag|flatten|forecast|forward|gather|grade|guess|hide|highlight|identify|illustrate|index
|infer|inline|integrate|interpret|invert|invite|iterate|join|label|launch|locate|map|mark|minify|modify
|normalise|normalize|offer|organise|organize|package|paint|paraphrase|parse|permute|pick|post|predict
|present|preview|prioritise|prioritize|produce|provide|prune|query|quote|rank|reboot|rebuild|recalculate
|recap|recheck|recommend|reconcile|record|redeploy|redraft|reduce|refine|reformulate|refresh|register
|reinstall|reload|render|reorder|repair|repeat|rephrase|replay|report|reproduce|request|reschedule|research
|reserve|reset|reshape|resize|resolve|restore|restructure|resubmit|retest|retrieve|retry|return|reuse|revise
|rotate|round|sanitise|sanitize|scan|score|scrape|select|separate|set|simulate|solve|squash|stash|structure
|submit|substitute|sum|swap|switch|sync|synthesise|tabulate|tidy|total|track|train|transcribe|transform
|transpose|trim|troubleshoot|tune|type|uninstall|unpack|unzip|vectorise|visualise|visualize|withdraw|zip
|i need|i need a|give me|can i get|introduce|keep it under|make it shorter|quick sketch|reword|bill|cc
|remind|warn|thank|congratulate|two sentences|one line|three lines|ask him|ask her|ask them"""

TASK_FR = """\
ajoute|ajoutez|ajouter|corrige|corrigez|corriger|refactore|refactorise|renomme|renommez|renommer|ecris
|ecrivez|ecrire|explique|expliquez|expliquer|verifie|verifiez|verifier|lance|lancez|lancer|regarde|regardez
|regarder|montre|montrez|montrer|supprime|supprimez|supprimer|enleve|retire|cree|creez|creer|implemente
|teste|testez|tester|debogue|relis|relire|extrais|decoupe|genere|generez|generer|nettoie|formate|fusionne
|rebase|commite|pousse|ouvre|ferme|trouve|trouver|cherche|chercher|liste|affiche|installe|compile|convertis
|traduis|traduire|resume|resumer|redige|rediger|compare|comparer|essaie|essaye|relance|relancer|redemarre
|lis|lire|decris|dis|donne|donner|aide|aider|reecris|deplace|copie|colle|change|ajuste|ameliore|optimise
|simplifie|documente|commente|mets|mettre|publie|deploie|analyse|analyser|mesure|calcule|calculer|compte
|trie|filtre|trace|dessine|concois|propose|suggere|esquisse|peaufine|raccourcis|termine|finis|continue
|commence|annonce|arrete|refais|fais|faire|branche|insere|valide|confirme|inspecte|reserve|reserver|commande
|envoie|envoyer|planifie|prepare|preparer|recupere|telecharge|exporte|importe|charge|sauvegarde|migre
|reorganise|reponds|repondre|jette|passe|occupe toi|remets|rajoute|modifie|modifier|detaille|reformule
|reformuler|abreger|abrege|abregez|accelerer|accelere|accelerez|acheter|achete|achetez|activer|active
|activez|actualiser|actualise|actualisez|adapter|adapte|adaptez|additionner|additionne|additionnez|afficher
|affichez|agrandir|agrandis|agrandissez|aidez|ajuster|ajustez|aligner|aligne|alignez|ameliorer|ameliorez
|analysez|annoter|annote|annotez|annuler|annule|annulez|anonymiser|anonymise|anonymisez|appliquer|applique
|appliquez|approfondir|approfondis|approfondissez|archiver|archive|archivez|arrondir|arrondis|arrondissez
|articuler|articule|articulez|assembler|assemble|assemblez|assigner|assigne|assignez|attribuer|attribue
|attribuez|auditer|audite|auditez|augmenter|augmente|augmentez|automatiser|automatise|automatisez|brancher
|branchez|brosser|brosse|brossez|brouillonner|brouillonne|brouillonnez|batir|batis|batissez|calculez|caler
|cale|calez|calibrer|calibre|calibrez|centrer|centre|centrez|changer|changez|charger|chargez|cherchez
|chiffrer|chiffre|chiffrez|choisir|choisis|choisissez|chronometrer|chronometre|chronometrez|classer|classe
|classez|classifier|classifie|classifiez|cloner|clone|clonez|cloturer|cloture|cloturez|coder|code|codez
|coller|collez|colorier|colorie|coloriez|combiner|combine|combinez|commander|commandez|commenter|commentez
|comparez|compiler|compilez|completer|complete|completez|composer|compose|composez|compresser|compresse
|compressez|compter|comptez|concevoir|concevez|configurer|configure|configurez|confirmer|confirmez|connecter
|connecte|connectez|construire|construis|construisez|consulter|consulte|consultez|contacter|contacte
|contactez|continuer|continuez|controler|controle|controlez|convertir|convertissez|copier|copiez|couper
|coupe|coupez|croiser|croise|croisez|dessiner|dessinez|diagnostiquer|diagnostique|diagnostiquez|dicter|dicte
|dictez|dire|dites|diviser|divise|divisez|documenter|documentez|donnez|doubler|double|doublez|dresser|dresse
|dressez|dupliquer|duplique|dupliquez|debloquer|debloque|debloquez|deboguer|deboguez|decaler|decale|decalez
|dechiffrer|dechiffre|dechiffrez|decoder|decode|decodez|decouper|decoupez|decrire|decrivez|dedoublonner
|dedoublonne|dedoublonnez|definir|definis|definissez|deplacer|deplacez|deployer|deployez|deriver|derive
|derivez|detailler|detaillez|detecter|detecte|detectez|determiner|determine|determinez|developper|developpe
|developpez|effacer|efface|effacez|effectuer|effectue|effectuez|envoyez|esquisser|esquissez|estimer|estime
|estimez|examiner|examine|examinez|explorer|explore|explorez|exporter|exportez|exposer|expose|exposez
|extraire|extrayez|executer|execute|executez|fabriquer|fabrique|fabriquez|factoriser|factorise|factorisez
|faites|fermer|fermez|filtrer|filtrez|finaliser|finalise|finalisez|finir|finissez|formater|formatez|formuler
|formule|formulez|fouiller|fouille|fouillez|fournir|fournis|fournissez|fragmenter|fragmente|fragmentez
|fusionner|fusionnez|grouper|groupe|groupez|hierarchiser|hierarchise|hierarchisez|identifier|identifie
|identifiez|illustrer|illustre|illustrez|imaginer|imagine|imaginez|implementer|implementez|importer|importez
|imprimer|imprime|imprimez|indenter|indente|indentez|indexer|indexe|indexez|indiquer|indique|indiquez
|initialiser|initialise|initialisez|inspecter|inspectez|installer|installez|inserer|inserez|interpreter
|interprete|interpretez|interroger|interroge|interrogez|intervertir|intervertis|intervertissez|integrer
|integre|integrez|inventorier|inventorie|inventoriez|inverser|inverse|inversez|lisez|lister|listez|localiser
|localise|localisez|masquer|masque|masquez|mesurer|mesurez|mettez|migrer|migrez|modifiez|modeliser|modelise
|modelisez|monter|monte|montez|multiplier|multiplie|multipliez|nettoyer|nettoyez|normaliser|normalise
|normalisez|numeroter|numerote|numerotez|optimiser|optimisez|ordonner|ordonne|ordonnez|organiser|organise
|organisez|ouvrir|ouvrez|parametrer|parametre|parametrez|paraphraser|paraphrase|paraphrasez|parcourir
|parcours|parcourez|peaufiner|peaufinez|placer|place|placez|planifier|planifiez|poser|pose|posez|poster
|poste|postez|poursuivre|poursuis|poursuivez|produire|produis|produisez|programmer|programme|programmez
|projeter|projette|projetez|proposer|proposez|preciser|precise|precisez|predire|predis|predisez|preparez
|presenter|presente|presentez|publier|publiez|raccourcir|raccourcissez|rafraichir|rafraichis|rafraichissez
|ranger|range|rangez|rapprocher|rapproche|rapprochez|rebaser|rebasez|recalculer|recalcule|recalculez
|recenser|recense|recensez|recharger|recharge|rechargez|rechercher|recherche|recherchez|recommander
|recommande|recommandez|recommencer|recommence|recommencez|recompiler|recompile|recompilez|reconstruire
|reconstruis|reconstruisez|recopier|recopie|recopiez|rectifier|rectifie|rectifiez|redimensionner
|redimensionne|redimensionnez|redemarrer|redemarrez|redeployer|redeploie|redeployez|refactoriser
|refactorisez|refaire|refaites|reformater|reformate|reformatez|reformulez|regrouper|regroupe|regroupez
|relancez|relever|releve|relevez|relisez|remanier|remanie|remaniez|remplacer|remplace|remplacez|remplir
|remplis|remplissez|rendre|rends|rendez|renvoyer|renvoie|renvoyez|reporter|reporte|reportez|reprendre
|reprends|reprenez|reproduire|reproduis|reproduisez|reperer|repere|reperez|restaurer|restaure|restaurez
|restructurer|restructure|restructurez|retaper|retape|retapez|retirer|retirez|retoucher|retouche|retouchez
|retrouver|retrouve|retrouvez|revoir|revois|revoyez|reverifier|reverifie|reverifiez|realiser|realise
|realisez|recapituler|recapitule|recapitulez|recuperer|recuperez|redigez|reduire|reduis|reduisez|reessayer
|reessaye|reessayez|regenerer|regenere|regenerez|reinitialiser|reinitialise|reinitialisez|reinstaller
|reinstalle|reinstallez|reordonner|reordonne|reordonnez|reorganiser|reorganisez|reparer|repare|reparez
|repertorier|repertorie|repertoriez|repeter|repete|repetez|reservez|resoudre|resous|resolvez|resumez
|retablir|retablis|retablissez|reviser|revise|revisez|reecrire|reecrivez|sauvegarder|sauvegardez|scanner
|scanne|scannez|scinder|scinde|scindez|signaler|signale|signalez|simplifier|simplifiez|simuler|simule
|simulez|sonder|sonde|sondez|souligner|souligne|soulignez|soumettre|soumets|soumettez|sous-titrer|sous-titre
|sous-titrez|structurer|structure|structurez|suggerer|suggerez|surligner|surligne|surlignez|synchroniser
|synchronise|synchronisez|synthetiser|synthetise|synthetisez|selectionner|selectionne|selectionnez|separer
|separe|separez|taper|tape|tapez|terminer|terminez|traduisez|transcrire|transcris|transcrivez|transformer
|transforme|transformez|transferer|transfere|transferez|transmettre|transmets|transmettez|transposer
|transpose|transposez|trier|triez|trouvez|telecharger|telechargez|televerser|televerse|televersez
|uniformiser|uniformise|uniformisez|valider|validez|ventiler|ventile|ventilez|vider|vide|videz|visualiser
|visualise|visualisez|zoomer|zoome|zoomez|ebaucher|ebauche|ebauchez|echanger|echange|echangez|eclaircir
|eclaircis|eclaircissez|editer|edite|editez|elaborer|elabore|elaborez|elargir|elargis|elargissez|enumerer
|enumere|enumerez|epurer|epure|epurez|etablir|etablis|etablissez|etendre|etends|etendez|etiqueter|etiquette
|etiquetez|etoffer|etoffe|etoffez|etudier|etudie|etudiez|evaluer|evalue|evaluez|il me faut|il me faudrait
|j'ai besoin|donne moi|il faudrait|je veux un|je veux une|deux phrases|une phrase|vite|avise|invite|previens
|remercie|felicite|rappelle|ecris moi|fais moi|dis moi|montre moi|voyons|laisse"""

POLITE = """\
please|pls|can you|could you|would you|will you|can we|let's|then|also|and|now|ok|okay|so|next|first|just
|quick|quickly|could you also|can you also|stp|svp|s'il te plait|s'il vous plait|peux tu|tu peux|pourrais tu
|tu pourrais|peux tu aussi|pouvez vous|vous pouvez|veux tu|et|puis|ensuite|aussi|maintenant|d'abord|alors
|bon|donc|j'aimerais que tu|il faudrait|i need you to|i want you to|i'd like you to|merci de|hey|salut
|may you|il faut que tu|yes|yep|yeah|no|nope|nan|non|oui|ouais|perfect|great|good|super|parfait|nickel|cool
|thanks|merci|allez|vas y|euh|hm|hop|ah|oh|bah|ben|well|right|sure|ok so|du coup|en fait|in fact|tiens|dis
|say|hey claude|claude|while i think of it|tant que j'y pense|je veux que tu|je voudrais que tu
|can you please|peux tu stp|one more|autre chose|another thing|dans ce cas|in that case|if you can
|si tu peux|quand tu peux|when you can|agreed|fair enough|right then|fine|ok then|ta|nice|merci bien|bien vu
|exact|noted|allons y"""

TASK_TAIL = """\
have a look|take a look|regarde|jette un oeil|tant que tu y es|while you are there|while you're there
|while you're at it|can you check|tu peux regarder|tu peux verifier|back to the|revenons|on revient
|let's get back|i'm on it|peux tu regarder|any idea|une idee"""

# Words that stand for an instruction that lasts, whatever verb opens the sentence.
LASTING = """\
make that|make it|always|never|from now on|as the|as a|as our|by default|going forward|instead of|in future
|every time|each time|toujours|jamais|desormais|dorenavant|comme valeur|a chaque fois|par defaut|au lieu de
|a l'avenir|whenever|chaque fois|the rule|la regle|annule la regle"""

# Function words by which a sentence shows its language.
FRENCH = frozenset(
    """le la les un une des du de et est sont dans pour sur avec pas plus que qui on nous je tu il elle ce cette
    ces au aux mon ma mes notre nos ne se sa son ses en par ou mais donc c'est l'on d'un d'une quand chez ca
    tout tous toute vers sans sous entre leur leurs avant apres etre tres aussi comme si meme deja encore jamais
    toujours rien faut sera""".split()
)
ENGLISH = frozenset(
    """the an of and is are in for on with not that who we i you it this these to at by or but so my our your
    be was were has have when from as do does don't it's we're i'm there they she he his her its their them what
    which will would should can can't could no never always please if than then here out up into about after
    before over under until till only just every each""".split()
)

# Numbers written out; `one` and `un` are more often no count.
COUNTS = frozenset(
    """two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred
    thousand deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente quarante cinquante
    soixante cent mille""".split()
)

# How a question opens that its writer did not mark as one.
ASKING = """\
what|what's|whats|how|how's|why|which|is there|are there|does|do we|do you|did|have we|has anyone|quel
|quelle|quels|quelles|comment|pourquoi|combien|est ce que|qu'est ce|y a t il|ou est|ou sont|c'est quoi
|what about|a quoi|de quoi|sais tu|tu sais|do i|any idea|any chance|une idee|qui est|qui a|who is|who has
|who does|where is|where are|where do|when is|when does|when do|c'est ou|c'est quand|is it|is the|is this
|is that|are the|are these|are we|was the|were the|does the|does it|do these|did the|has the|can the|can it
|should we|should i|will it|would it|wouldn't it|isn't it|is my|is our|are my|est il|est elle|sont ils
|a t on|a t il|peut on|faut il|doit on|on a combien|t'as une idee|as tu|avez vous|remind me|rappelle moi"""

# A verb that opens an English sentence asks, unless its subject was only left out (`is now 40`, `should be 5`).
BE = frozenset("is are was were does did".split())
SUBJECTLESS = frozenset(
    """now not no still set on in at to for out off over gone done back up down only always never also just fine ok
    okay good being been called named used due""".split()
) | {""}
MODALS = frozenset("can could should would will has had may".split())
SUBJECTS = frozenset(
    """we you i it they he she the this that these those there my our your his her their its a an anyone anybody
    someone somebody everyone everybody any""".split()
)

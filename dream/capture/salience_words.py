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
|il faut savoir|mark it down|write it down|jot it down|jot down|put it down|note it|note le|marque le
|inscris le""",
    "repeat": """\
as i said|as i told you|like i said|as said|as mentioned|i repeat|once more|as agreed|same as before|still
|again|as before|as always|as usual|no change|unchanged|je repete|je le redis|je redis|comme dit
|comme je disais|comme je l'ai dit|comme convenu|comme avant|comme toujours|comme d'habitude|encore une fois
|toujours|on ne change rien|rien ne change|inchange|n'a pas bouge|n'ont pas bouge|n'a pas change
|hasn't moved|hasn't changed|has not moved|has not changed|as ever|rien de neuf|nothing new|once again
|a nouveau|yet again""",
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
|any longer|swapped|swap|traded|trade in|troque|troquons|a echange|prend la place|prennent la place|took the place
|takes the place|taken the place|taken the seat|lost out to|loses out to|gave way|gives way
|makes way|made way|let go of|lets go of|over from
|cede la place|laisse la place|gave in|j'ai cede|est raye|est rayee|sont rayes|autre cadence|autre rythme
|nouveau rythme|nouvelle cadence|new rhythm|raised to|lowered to|cut to|au bout du compte|en fin de compte
|tout compte fait|au final|in the end|after all|has gone to|have gone to|went over to|gone over to
|demi tour|volte face|revirement|u turn|en definitive|amendment|amendement|avenant|change of heart
|answer has changed|reponse a change|date d'effet|takes effect|prend effet|grimpe a|grimpent a|climbs to|rises to
|drops to|falls to|tombe a|herite de|heritent de|inherits|inherited|le relais est pris|voted|won the trial
|change of plan|changement de programme|autant pour moi|my bad|oups|oops|was wrong|etait faux
|etait fausse|where i said|ou j'ai dit|rectificatif|a bascule|ont bascule
|parti de|partie de|partis de|sorti de|left for|on va chez|on passe chez|on passe par|passe chez""",
    "fresh": """\
new|nouveau|nouvelle|now|maintenant|at last|finally|enfin|ca y est|finalement|en fait|update|former|ancien
|ancienne|previously|used to|up to|not the|goes to|went to|moves to|officially|officiellement
|par contre|effective|bump|these days|actually|du coup""",
    "retract": """\
cancel|cancelled|canceled|cancels|called off|is off|lifted|revoked|no longer required|no longer needed
|no longer applies|no longer mandatory
|no longer necessary|no longer enforced|n'est plus exige|n'est plus exigee|n'est plus requis|n'est plus requise
|n'est plus demande|n'est plus demandee|n'est plus necessaire|n'est plus obligatoire
|not required anymore|not needed anymore|don't need|no need|forget about|never mind
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
|starts on|ends on|aujourd'hui|hier|avant hier|demain|apres demain|semaine prochaine|semaine derniere
|mois prochain|mois dernier|an prochain|an dernier|il y a|dans quinze|dans huit|ce mois ci
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
|in my dream|dans mon reve|crossed my mind|just a thought|m'a traverse l'esprit|juste une idee|idle thought
|wondering if|wondering about|wondering whether|on se demandait|je me demandais
|simple curiosite|just curious|out of curiosity|par curiosite|daydream|un de ces jours|one of these days|down the road
|in an ideal world|dunno|don't know yet|not sure yet|je sais pas encore|je ne sais pas encore|pas encore sur
|would be cool|wouldn't it be|ce serait cool|j'aimerais bien un jour|if i go|si j'y vais|nah""",
    "transient": """\
right now|at the moment|for now|just now|for the time being|this minute|hold on|brb|back in a minute
|back in a sec|back in five|back in ten|back in an hour|one sec|wait
|ignore it|don't mind|don't be surprised|slow today|tired|hungry|headache|sleepy|raining|noisy|lagging
|stuck in|on the train|in the train|running late|en ce moment|pour l'instant|pour le moment|tout de suite
|la maintenant|ne t'etonne pas|t'inquiete|attends|deux secondes|fatigue|fatiguee|courbatures|sore|aching|faim
|mal de tete|mal au|il pleut|du bruit|dans le train|dans le metro|en retard|je reviens|une minute|cinq minutes|my laptop
|mon ordi|battery|batterie|wifi|weather|la meteo|is red|is down|are down|est rouge|est tombe|est en carafe
|rame|ca rame|j'arrive|i'm off|je file|je pars|j'y vais|je sors|a toute|je vais|on commence par|let's start with
|we start with|commencons par|il est tard|stress|canicule
|je suis en|i'm in a|gotta go|got to go|need to run|heading out|voyons|let me see|merci pour tout
|thanks for everything|petit point|on repart de zero|back from|suis de retour|est de retour
|raconte n'importe quoi|i'm tired
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
|claim that|reckons that|keeps pushing|keep pushing|keeps selling|keeps telling me|n'arrete pas de pousser
|essaie de nous vendre|begs for|pleads for|lobbies for|supplie|n'en peut plus de|tries to sell us|trying to sell us
|a vendor told|a vendor says|un vendeur dit|un collegue dit|a colleague says
|someone proposed|somebody proposed|quelqu'un propose""",
    "rejection": """\
no thanks|not now|not yet|no way|nope|i'd rather not|keep it simple|non merci|laisse tomber|pas maintenant
|pas pour l'instant|c'est non|answer is no|i said no|we said no|j'ai dit non|turned it down|turned that down
|we will not add|we won't add|on n'ajoute pas|on laisse|sans moi|hors de question|never mind
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
|who does|where is|where are|where do|where was
|where were|ou etait|ou en etait|ou en etions|when is|when does|when do|c'est ou|c'est quand|is it|is the|is this
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

# What opens with a verb of work and goes on with one of these tells what happened to it.
HAPPENED = frozenset(
    "went broke fell hung froze ran took came died crashed stopped was were is had has got kept".split()
)

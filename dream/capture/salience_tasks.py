"""How a request for work opens, goes on and closes, French and English, folded; what asks for something that lasts.

Verbs are English base forms, French imperatives and infinitives. `salience.py` reads them.
"""

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
|remercie|felicite|rappelle|ecris moi|fais moi|dis moi|montre moi|voyons|laisse|vire|virez"""

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
|let's get back|retour au|retour a la|retour aux|on reprend|reprenons|i'm on it|peux tu regarder|any idea|une idee"""

# Words that stand for an instruction that lasts, whatever verb opens the sentence.
LASTING = """\
make that|make it|always|never|from now on|as the|as a|as our|by default|going forward|instead of|in future
|every time|each time|toujours|jamais|desormais|dorenavant|comme valeur|a chaque fois|par defaut|au lieu de
|a l'avenir|mark it down|write it down|jot it down|jot down|put it down|note it|note le|marque le
|inscris le|pin it|whenever|chaque fois|the rule|la regle|annule la regle"""

# A request that gives one of these a number says what holds from now on.
SETTING = frozenset(
    "put set fix keep leave mets mettez mettre fixe fixez cale calez regle reglez passe passez garde gardez"
    " compte comptez compter prends prenez take use count assume".split()
)
LIMITS = frozenset(
    """limit limits limite limites maximum minimum max min cap ceiling plafond floor threshold seuil period periode
    delay delai timeout duration duree lifetime ttl size taille number nombre rate taux quota budget retention
    conservation frequency frequence interval intervalle price prix window fenetre depth profondeur capacity capacite
    deadline expiry expiration width largeur height hauteur length longueur""".split()
)

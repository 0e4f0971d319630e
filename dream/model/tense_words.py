"""The verbs and words by which French and English place an event behind or ahead; folded but where said otherwise."""

from __future__ import annotations

import re


def words(text: str) -> str:
    """An alternation of the blank-separated words; `_` stands for a blank inside one."""
    return "|".join(text.split()).replace("_", " ")


_EN_MODALS = words(
    "will shall won't going_to gonna about_to supposed_to wants?_to aims?_to hop(?:e|es|ing)_to plan(?:s"
    "|ning)? planned scheduled slated due"
    " must should can could might needs?_to ha(?:s|ve)_to let's to_be deadline expected upcoming"
    " remind(?:er)? set_to bound_to"
)
_FR_MODALS = words(
    "va vas vais vont allons allez doit dois doivent devons devez faut faudra faudrait devrait devra peut"
    " peux compte comptons veut veux voulons"
    " pense espere prevoit prevoyons"
)
_NOT_FUTURE = words(
    "vrai bras gras embarras front affront extra infra ultra opera camera jira contra intra supra clara sara"
    " laura vera terra sierra zebra"
    " libra hydra fedora pandora terrass?e debarras verras? fatras matelas nora dora elvira samira saira zara"
    " tiara era"
)
EN_FUTURE = re.compile(
    rf"\b(?:{_EN_MODALS})\b(?: (?:not|also|then|only|all|be|have|get|been))*(?: (?!on\b|in\b|by\b|to\b|at\b)\w+)?"
    r"|'ll\b(?: (?:not|also|be|have))*(?: \w+)?"
)
FR_FUTURE = re.compile(
    rf"\b(?:{_FR_MODALS}) (?:(?:pas|tous|tout|bientot|encore|aussi|se|s'|le|la|les|y) ?)*\w+(?:er|ir|re|oir)\b"
    r"|\b(?:prevue?s?|planifiee?s?|programmee?s?|echeance|d'ici|bientot|rappelle|rappel|deadline|reste a)\b"
    rf"|\b(?!(?:{_NOT_FUTURE})\b)\w{{2,}}r(?:ai|as|a|ons|ez|ont)\b"
)

_EN_IRREGULAR = words(
    "was were wasn't weren't had hadn't did didn't done gone been went made took sent got gave came saw found"
    " lost broke began became ran wrote"
    " met left held built bought kept spent won led fell felt paid sold drew grew blew caught chose dealt"
    " drove forgot hid rose spoke stood"
    " taught threw understood woke swapped ago learnt heard brought thought sought fought shook flew rang"
    " sang sank swam tore wore bore swore"
    " froze stole dug slid quit stuck struck swung burnt dreamt leapt spilt spoilt bent lent shot sat slept"
)
_NO_PARTICIPLE = words(
    "need seed feed speed embed bed red fed bleed breed deed indeed exceed proceed succeed hundred based used"
    " unused shed wed naked sacred"
    " biased zed guaranteed supposed said told asked agreed confirmed announced weed reed steed greed freed"
)
_AUX_BETWEEN = words(
    "deja bien enfin pas tous toutes tout finalement encore aussi vite mal rien jamais ete plus toujours vraiment"
)
_NO_FR_PARTICIPLE = words(
    "une? le la les des du ce cette son sa ses notre nos votre partir compter deux trois dix six cause cote"
    " jour midi priori"
)
_ETRE_VERBS = words(
    "partie?s? passee?s? arrivee?s? entree?s? sortie?s? venue?s? devenue?s? revenue?s? tombee?s? nee?s?"
    " morte?s? restee?s? montee?s?"
    " rentree?s? retournee?s? descendue?s? ete"
)
_NO_IMPERFECT = words(
    r"fait parfait souhait \w*trait \w*lait plait sait \w*connait \w*parait satisfait soit \w*r(?:ait|aient)"
    r" bienfait forfait retrait portrait"
)
EN_PAST = re.compile(
    rf"\b(?:re|over|under|out|un)?(?:{_EN_IRREGULAR})\b|\b(?:he|she|it) (?:put|set|cut|hit|let|shut|cost|hurt"
    rf"|split|read|beat|bet|spread)\b"
    r"|(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bto )(?<!\bgets )(?<!'re )(?<!it's )"
    rf"\b(?!(?:{_NO_PARTICIPLE})\b)\w{{2,}}ed\b"
    r"|\b(?:has|have|'ve)\b (?:\w+ )??(?:been|\w+ed|gone|done|made|taken|got|moved|become|left|built|set|put"
    r"|run|come)\b"
    r"|(?:^|[:(,;] ?)(?:already )?done\b"
)
FR_PAST = re.compile(
    rf"(?:\b(?:ai|a|avons|avez|ont|tu as|t'as)\b|\bj'ai\b) (?:(?:{_AUX_BETWEEN}) )*"
    rf"(?!(?:{_NO_FR_PARTICIPLE})\b)\w+(?:e|ee|es|ees|i|ie|is|ise|it|ite|u|ue|us|ues|ert|erte|int|eint)\b"
    rf"|\b(?:est|es|suis|sommes|etes|sont|s'est|m'est|se sont|me suis) (?:(?:{_AUX_BETWEEN}) )*(?:{_ETRE_VERBS})\b"
    r"|\b(?:s'est|se sont|me suis|s'etaient|nous sommes) (?:\w+ )??\w+(?:e|ee|es|ees|i|is|u|us|ue|it)\b"
    r"|\b(?:etait|etaient|etais|etions|avait|avaient|avais|avions|fut|furent|eut|viens? de|venons de|viennent"
    r" de|c'etait)\b"
    rf"|\b(?!(?:{_NO_IMPERFECT})\b)\w{{3,}}(?:ait|aient)\b"
    r"|(?:^|[:(,;] ?)(?:deja |c'est |est )?(?:fait|faits|faite|faites|dit|mis|pris|fini|finie|recu|recue|vu|vendu)\b"
    r"|\bc'est (?:deja )?(?:fait|fini|signe|regle|parti|vendu|livre)\b"
)

# A French participle standing alone (« signé mardi ») shows by its accent.
_LETTER = "a-zàâäçéèêëîïôöùûüœæ"
_NOUNS = words(
    r"congés? clés? thés? cafés? blés? santé étés? sociétés? marchés? degrés? prés? gré côtés? comités?"
    r" employée?s? associée?s? salariée?s? musées?"
    r" journées? années? soirées? matinées? durées? entrées? idées? lycées? arrivées? rentrées? données?"
    r" allées? vallées? armées? pensées? tournées?"
    r" montées? poignées? bébés? \w*(?<!vis)(?<!inv)(?<!év)(?<!éd)(?<!hér)(?<!mér)ités? libertés? difficultés?"
    r" beautés? facultés? mairies?"
)
BARE_PARTICIPLE = re.compile(
    rf"(?<![{_LETTER}])(?!(?:{_NOUNS})(?![{_LETTER}]))[{_LETTER}]{{2,}}(?:é|ée|és|ées)(?![{_LETTER}])"
)
PASSIVE_PRESENT = re.compile(
    r"(?:\b(?:est|sont|soit|soient|etre|sera|seront|sois|de|la|le|les|un|une|des|en|du|au|mon|ma|notre|sa|son"
    r"|ce|cette)|[dl]') ?\Z"
)

_EN_PRESENT = words(
    "is are am isn't aren't goes starts begins launches opens happens takes_place comes ends closes ships"
    " lands meets moves becomes replaces"
    " leaves joins arrives returns switches migrates expires stops renews runs gets changes needs wants has"
)
_FR_PRESENT = words(
    "est sont suis sommes demarre commence arrive passe part sort ouvre ferme finit devient remplace quitte"
    " prend livre lance migre bascule"
    r" reprend a_lieu ont_lieu se_\w+e on_\w+e nous_\w+ons je_\w+e j'\w+e ils_\w+ent vient rend augmente"
    r" baisse change entre expire cesse"
    " tourne reste revient termine"
)
EN_PRESENT = re.compile(
    rf"\b(?:{_EN_PRESENT})\b|\b(?:it|he|she|that|what|there|who|here)'s\b|(?:'re|'m)\b|\b(?:we|i|they|you)"
    rf" (?!\w+ed\b)\w+\b"
)
FR_PRESENT = re.compile(rf"\b(?:{_FR_PRESENT})\b")

# Words that only one of the two languages has, to tell which of the verbs above to look for.
FRENCH = re.compile(
    r"\b(?:le|la|les|des|du|une?|et|est|pour|dans|sur|que|qui|pas|avec|nous|je|au|aux|depuis|ce|cette|en|il"
    r"|elle|ils|elles|se|sa|ses|son"
    r"|ne|plus|par|ou|mais|donc|tu|te|vous|ont|sont|sera|fait|deja|lundi|mardi|mercredi|jeudi|vendredi|samedi"
    r"|dimanche|hier|demain"
    r"|prochaine?|derniere?|mois|semaine)\b|\b[ldjcnmstq]u?'(?!s\b|t\b|re\b|ve\b|ll\b|m\b)"
)
ENGLISH = re.compile(
    r"\b(?:the|an|and|is|are|was|were|to|of|in|for|that|with|we|i|it|this|from|by|since|be|have|has|had|will"
    r"|they|you|he|she|our|my|not"
    r"|but|or|at|as|until|after|before|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|last|week"
    r"|month|ago|its|his|her"
    r"|their|did|do|does|who|what|when|there|been)\b|\w'(?:s|re|ve|ll|m)\b|n't\b"
)

RESCHEDULED = re.compile(
    r"\b(?:mov(?:ed?|es|ing)|push(?:ed|ing|es)?|postpon(?:ed?|ing)|rescheduled?|delay(?:ed|ing)?|bump(?:ed"
    r"|ing)?|slip(?:s|ped)?|shift(?:ed|s)?"
    r"|put off|brought forward|changed|defer(?:red)?|extended|advanced)\b[^.;!?\n]{0,60}\b(?:to|until|till|for"
    r"|on)(?: the)? $"
    r"|\b(?:schedul\w+|planned|booked|set|due|slated|arranged|fixed|confirmed|agreed|deadline|invited|aiming"
    r"|targeting|penci\w+)\b"
    r"[^.;!?\n]{0,40}\b(?:for|on|by|to)(?: the)? $"
    r"|\b(?:decal\w+|repouss\w+|report\w+|deplac\w+|avanc\w+|prolong\w+|recul\w+|glisse\w*|saut\w+)\b[^.;!?\n]{0,60}"
    r"\b(?:a|au|pour|jusqu'au|jusqu'a)(?: le)? ?$"
    r"|\b(?:prevu\w*|planifi\w+|programm\w+|cale|calee|cales|fixe|fixee|attendu\w*|convoqu\w+|invit\w+"
    r"|rendez-vous|rdv)\b[^.;!?\n]{0,40}"
    r"(?:\b(?:a|au|pour|le|pour le) ?)?$"
)
SINCE = re.compile(r"\b(?:since|depuis)(?: (?:the|le|la|l'|last|debut|fin|mi-|early|late|mid-?))* ?$")
DATES_FROM = re.compile(
    r"\b(?:dat(?:e|es|ed|ing)(?: back)? (?:from|to)|goes back to|remonte(?:nt)? (?:a|au)|dat(?:e|ent|ait|aient"
    r"|ant) (?:de|du|d'))"
    r"(?: (?:the|le|la|l'))? ?$"
)
FROM = re.compile(
    r"\b(?:from|as of|as from|starting(?: on| from)?|effective(?: from| on)?|beginning(?: on)?|by|no later than"
    r"|a (?:partir|compter|dater) (?:de|du|d')|des|d'ici(?: a| le| au)?|au plus tard|pour)(?: (?:the|le|la|l'))? ?$"
)
UNTIL = re.compile(r"\b(?:until|till|jusqu'(?:a|au|en))(?: (?:the|le|la|l'))? ?$")
AHEAD = re.compile(r"\b(?:before|avant|for)(?: (?:the|le|la|l'))? ?$")
SHIFTED = re.compile(
    r"\b(?:mov|push|postpon|reschedul|shift|delay|decal|repouss|report|deplac|avanc|pass|recul|gliss)\w*"
    r" (?:\w+ ){0,2}$"
)
"""Before `from the 12th to the 19th`: the event goes from one day to the other, it does not last between them."""
WAS = re.compile(
    r"\b(?:was|were|had|did|used|ran|kept|stayed|worked|etais|etait|etaient|avait|avions|avaient|a ete|avons"
    r"|ont|on a|j'ai|ils? a|elles? a)\b"
    r"|\b(?!fait\b|sait\b)\w{3,}(?<!r)ait\b"
)
"""What makes `until` look back; a participle alone (`closed until the 20th`) does not."""

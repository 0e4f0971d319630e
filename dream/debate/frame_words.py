"""Words by which a sentence steers, counts or closes; French and English, folded (no case, no accents)."""

from __future__ import annotations


def _by_word(forms: dict[str, str]) -> dict[str, str]:
    """Each form to what it stands for; `forms` lists them the other way round, with blanks between."""
    return {word: meant for meant, words in forms.items() for word in words.split()}


NUMBER_WORDS = {
    word: str(number)
    for number, names in enumerate(
        (
            "zero|one|two deux|three trois|four quatre|five cinq|six|seven sept|eight huit|nine neuf|ten dix"
            "|eleven onze|twelve douze|thirteen treize|fourteen quatorze|fifteen quinze|sixteen seize|seventeen"
            "|eighteen|nineteen|twenty vingt"
        ).split("|")
    )
    for word in names.split()
} | {"thirty": "30", "trente": "30", "forty": "40", "quarante": "40", "fifty": "50", "cinquante": "50", "sixty": "60"}
NUMBER_WORDS |= {"soixante": "60", "ninety": "90", "hundred": "100", "cent": "100", "thousand": "1000", "mille": "1000"}
NUMBER_WORDS.pop("one")  # a pronoun more often than a count

# Numbers of one language that are words of the other: `le four`, `ten cent`.
NO_NUMBERS = {"fr": frozenset({"four"}), "en": frozenset({"cent", "mille"})}

UNITS = _by_word(
    {
        "mb": "mb mo megabyte megabytes megaoctet megaoctets mib",
        "gb": "gb go gigabyte gigabytes gigaoctet gigaoctets gib",
        "kb": "kb ko kilobyte kilobytes kilooctet kilooctets kib",
        "tb": "tb to terabyte terabytes teraoctets",
        "eur": "€ eur euro euros",
        "usd": "$ usd dollar dollars",
        "gbp": "£ gbp pound pounds livre livres",
        "chf": "chf franc francs",
        "percent": "% percent pourcent",
        "ms": "ms millisecond milliseconds milliseconde millisecondes",
        "second": "s sec secs second seconds seconde secondes",
        "minute": "min mins minute minutes",
        "hour": "h hour hours heure heures",
        "day": "day days jour jours",
        "week": "week weeks semaine semaines",
        "month": "month months mois",
        "year": "year years an ans annee annees",
        "km": "km kilometre kilometres kilometer kilometers",
        "m": "m metre metres meter meters",
        "cm": "cm centimetre centimetres",
        "mm": "mm millimetre millimetres",
        "kg": "kg kilo kilos kilogram kilograms kilogramme kilogrammes",
        "g": "g gram grams gramme grammes",
        "mg": "mg milligram milligrams milligramme milligrammes",
        "l": "l litre litres liter liters",
        "ml": "ml millilitre millilitres",
        "degree": "° degree degrees degre degres",
        "hz": "hz hertz",
        "khz": "khz kilohertz",
        "mhz": "mhz megahertz",
        "ghz": "ghz gigahertz",
        "watt": "w watt watts",
        "kw": "kw kilowatt kilowatts",
        "kwh": "kwh",
        "volt": "volt volts",
        "px": "px pixel pixels",
        "dpi": "dpi ppp",
        "rpm": "rpm",
        "bar": "bars",
        "ppm": "ppm",
        "db": "decibel decibels",
        "hectare": "ha hectare hectares",
        "m2": "m2 m²",
        "m3": "m3 m³",
        "mile": "mile miles",
        "foot": "ft feet",
        "inch": "inch inches pouce pouces",
        "pound": "lb lbs",
    }
)

# French units that English takes for words unless they are written with a capital (`from 60 to 75`, `60 To`).
CAPITAL_UNITS = frozenset(("to", "go"))

# Behind these a number of hours is an hour of the day in French; `a` is `à`.
HOUR_AFTER = frozenset("a vers avant apres des jusqu jusqua entre".split())

DAYS = _by_word(
    {
        "monday": "monday mondays lundi lundis",
        "tuesday": "tuesday tuesdays mardi mardis",
        "wednesday": "wednesday wednesdays mercredi mercredis",
        "thursday": "thursday thursdays jeudi jeudis",
        "friday": "friday fridays vendredi vendredis",
        "saturday": "saturday saturdays samedi samedis",
        "sunday": "sunday sundays dimanche dimanches",
    }
)

# Languages, which are values where something is written in them.
LANGUAGES = _by_word(
    {
        "english": "english anglais",
        "french": "french francais",
        "german": "german allemand",
        "spanish": "spanish espagnol",
        "italian": "italian italien",
        "dutch": "dutch neerlandais",
        "portuguese": "portuguese portugais",
    }
)

WRITTEN_IN = frozenset("in into en : =".split())

# Beside these a word with a hyphen is the name of one.
NAMED_THINGS = frozenset(
    """bucket branch branche server serveur host hote repo repository depot package paquet table queue file topic
    job service container conteneur image database base schema namespace cluster folder dossier directory
    repertoire channel canal module library bibliotheque plugin label workspace project projet machine node
    volume secret index dataset stream flux user utilisateur role tag profile profil environment
    environnement""".split()
)

# Words that steer a sentence and name nothing in it.
GLUE = frozenset(
    """accord actually ailleurs again agreed always alors anyway appuie appuient appuyer as attention autre avant
    before bien bon bref btw case cas change changes changement careful chez chose clear code come comme compte
    compter context contexte convenu correction cote course current currently dead decide decided decision default
    desormais dire disais disant dit dorenavant effective encore end ended ensuite everywhere exactly fact fait
    faire falloir faut fera fin final finalement fini finie fixe fyi garde gardez general get gets go goes going
    gone good got guys hand happen happens heads hello hey how just keep keeps know last lets like likewise live
    lives longer look lot made main maintenant make makes maximum maybe mean meant mine mistake most move moved
    moves moving need needs new next nothing nouveau nouvelle now number oh ok old oublie oublier oubliez out over
    part partout pas passe passent passer perso petite plus point post precision prend prends prendre previous
    question rappel rappelle rather recap redis redit regarding relies rely remember remembered reminder remind
    repete repeat repose reposent reposer reste restent rester right said same say says scratch sert serve serves
    servent settle settled side since sit sits so some something starting start stay stays still sub sujet switch
    switched take takes tell termine terminee terminer thing things think told toujours tout tourne tournent truc
    try turn up update use used uses using utilise utilisent utiliser utilisons valeur value va vas verra verrez
    verras voir voit want wanted way well went whole will work works wrong years you your trompe trompee trompes
    correct concern concerning concernant propos about place instead lieu mis mise mettre replace replaces replaced
    remplace remplacer remplacent bascule basculer basculons saute sauter became become devient devenu devenir here
    ici there la heart per par demande demander demandez contact contacte contacter contactez cela handle handled
    handles handling care manage managed run runs running put puts set sets doing done being been were talk talking
    ask asks asked note noted notes info information kind sort plutot annule annuler cancel cancelled drop dropped
    force forced caved never jamais nowhere nulle non restee restes restees rid stick sticks stuck starts started
    begin begins began commence commencent commencer commencera demarre demarrent demarrer debute debutent debuter
    font faisons fais"" mets mettez quant tant pense mind retiens remains remain nowadays debranche debranchons
    forget forgets assure assurer assurent everybody hands mains comptez unchanged inchange fois"" migre migrent
    migrer migrate migrated migrates migrating sorti sortie sortons swapped swap traded trade troque retire retiree
    removed changed took taken seat tool tools outil outils lache quitte quit quits"" continue continues demeure
    demeurent conserve conservent agit concerned far follow follows deals deal herite inherits henceforth bienvenue
    welcome adieu""".split()
)

NEGATIONS = frozenset(
    """never not no jamais pas aucun aucune non sans without n't nothing rien cannot can't don't doesn't isn't
    aren't""".split()
)

# Before `not` these refuse and end nothing (`we can not have peanuts`).
AUXILIARIES = frozenset("can could should must would will may might do does did shall need ought ca wo sha".split())

# Written large, and no names of anyone or anything: months, languages, nations' adjectives, titles.
CAPITALISED = frozenset(
    """january february march april may june july august september october november december english french
    german spanish italian dutch portuguese russian chinese japanese korean arabic polish swedish norwegian
    danish finnish greek turkish american british canadian belgian swiss european african asian indian irish
    scottish welsh mexican brazilian latin anglais francais allemand espagnol italien neerlandais portugais
    russe chinois japonais coreen arabe polonais quebecois christmas easter noel paques ramadan internet mr
    mrs ms dr mme mlle madame monsieur doctor professor i monday tuesday wednesday thursday friday saturday
    sunday""".split()
)

# Before a name these call somebody.
CALLS = frozenset(
    """hey hi hello hiya thanks thank wow yep yeah yes no ok okay sure bye goodbye congrats congratulations
    cheers aw aww oh sorry great cool nice salut bonjour bonsoir coucou merci bravo oui non dis ah tiens
    felicitations desole desolee ciao""".split()
)

# Words that tell something in the other language alone.
EMPTY_IN = {"fr": frozenset("son car".split())}

# Before `plus de` these make it `more than`.
BEFORE_MORE = frozenset("de a des les pour en avec bien beaucoup encore un peu".split())

STATES = frozenset("is are was were be est sont etait".split())
PASSES = frozenset("passe passent passera passeront passer passons".split())

# Behind these a name is where something is done, or what with; behind `by` it is who does it.
PLACING = frozenset(
    """in into with on onto via through from at using is are = : dans avec sur sous chez en via est sont depuis
    vers""".split()
)
PASSING = frozenset(
    """passe par|passent par|passer par|passons par|transite par|transitent par|hands of|write to|go to|goes to|desk of
|talk to|speak to|turn to|keys to|ecris a|ecrire a|ecrivez a|adresse a|mains de|bureau de|parle a|demande a""".replace(
        "\n", ""
    ).split("|")
)
ARTICLES = frozenset("the a an our my le la les l un une notre nos mon ma".split())

# Endings of words of either language, as lower case words that no list has may be told from names (`renumbered`).
ENDINGS = (
    *("ed", "ing", "ly", "ness", "less", "able", "ible", "tion", "tions", "sion", "sions", "ment", "ments", "ary"),
    *("aire", "aires", "ique", "iques", "ee", "ees", "euse", "euses", "eux", "ude", "ure", "ures", "ance", "ence"),
)

# Places that have another name in French, by their English one.
PLACES = {
    french: english
    for pair in """londres london|bruxelles brussels|gand ghent|anvers antwerp|geneve geneva|bale basel|berne bern
|vienne vienna|venise venice|florence florence|genes genoa|naples naples|milan milan|turin turin|barcelone barcelona
|seville seville|lisbonne lisbon|athenes athens|varsovie warsaw|cracovie krakow|moscou moscow|copenhague copenhagen
|edimbourg edinburgh|cologne cologne|francfort frankfurt|hambourg hamburg|dresde dresden|alger algiers|caire cairo
|pekin beijing|bucarest bucharest|allemagne germany|angleterre england|espagne spain|italie italy|suisse switzerland
|belgique belgium|autriche austria|grece greece|pologne poland|danemark denmark|suede sweden|norvege norway
|finlande finland|irlande ireland|ecosse scotland|hongrie hungary|roumanie romania|turquie turkey|maroc morocco
|tunisie tunisia|algerie algeria|egypte egypt|chine china|japon japan|inde india|bresil brazil|mexique mexico
|russie russia|ukraine ukraine|bretagne brittany|normandie normandy|bourgogne burgundy|alsace alsace|corse corsica
|sicile sicily|bavariere bavaria|flandre flanders|wallonie wallonia""".replace("\n", "").split("|")
    for french, english in [pair.split()]
}
PLACE_NAMES = frozenset(PLACES.values())

JOINING = frozenset("and et or ou & + plus".split())

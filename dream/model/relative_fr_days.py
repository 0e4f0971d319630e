"""French days by number: « le 3 mars », « du 3 au 7 », « à compter du 20 », « mardi 3 », « le 3/4 », « à Pâques »."""

from __future__ import annotations

import re

from dream.model import calendar as cal
from dream.model.calendar import FUTURE, OPEN, PAST, Span
from dream.model.relative_fr_periods import FRAGMENTS, YEAR, read_period, year_of
from dream.model.relative_rule import Found, Reading, Scene, Vocabulary, any_of
from dream.model.relative_words import FR_MONTHS, FR_WEEKDAYS, day_number
from dream.model.tense_words import words

GRAMMAR = Vocabulary(FRAGMENTS)
rule = GRAMMAR.rule

_CHOICES = (
    r"prefer\w* chois\w+ prend\w* prenons pris gard\w+ vot\w+ retien\w+ reten\w+ valid\w+ opt\w+ plutot"
    r" part\w*_sur essa\w+ tent\w+"
    r" option scenario plan port chapitre article numero etage ticket etape version issue ligne page pr niveau"
    r" ex_aequo passe_de entre"
    " top rang place bus tram metro salle bureau quai lot joueur tous question reponse exercice_n exo"
    " proposition variante choix"
    " appuie appuyez tape tapez cliquez clique coche compose composez habite loge facteur multiple carte"
    " dossard maillot chiffre"
)
_EVENTS = (
    "reunion demo livraison mise_en_prod audit entretien release deploiement rendez-vous rdv atelier facture"
    " incident panne revue"
    " comite mail message compte-rendu compte_rendu cr note point echeance date depart arrivee visite"
    " formation signature lancement"
    " bascule migration coupure vacances conge vol train anniversaire jury concert match soutenance examen"
    " cours rentree paie loyer"
    " virement arrive commence part ouvre ferme demarre livre passe expire rend change sort revient finit"
    " termine entre signe reprend"
    " a_lieu ont_lieu tombe augmente baisse prend_effet cesse inventaire commande conseil assemblee ag bilan"
    " vernissage tournage"
    " rappelle rappelez rappeler rappel chantier consultation operation recolte vendange garde astreinte"
    " partiel dentiste medecin notaire avocat seance colloque"
)


@rule(
    r"(?:le |du |au |ce )?(?:(?P<wd>{WD}) )?(?P<d>{D}) (?P<month>du mois {AFTER}|de ce mois(?:[\x20-]?ci)?|du"
    r" mois|courant)"
)
def _day_of_period(match: re.Match[str], scene: Scene) -> Reading:
    lean, number = scene.lean(match), day_number(match["d"])
    if match["month"] == "du mois":
        if lean == OPEN or not match[0].startswith(("le ", "du ", "au ")):
            return None
        there = cal.day_of_month(scene.today, number, lean)
    else:
        words = re.sub(r"^de ", "", match["month"]) if match["month"] != "courant" else "ce mois"
        span = read_period(words, scene.today, lean)
        there = None if span is None else cal.make_date(span.first.year, span.first.month, number)
    return Span(there) if there else None


@rule(
    r"(?:le |du |au |ce )?(?:(?P<wd>{WD}),? (?:le )?)?(?P<d>{D}) (?P<mon>{MON})\b\.?(?: (?P<rel>dernier"
    r"|prochain|passe)|" + YEAR + ")(?:{PART})?"
)
def _day_month(match: re.Match[str], scene: Scene) -> Reading:
    """« le 3 mars », « mardi 3 mars 2026 », « le 1er avril dernier »."""
    month, number = FR_MONTHS[match["mon"]], day_number(match["d"])
    if re.search(r"\d[.,]?$", scene.before(match.start("d"))):
        return None
    year, weekday = year_of(match.groupdict(), scene.today), FR_WEEKDAYS.get(match["wd"] or "")
    if year is not None:
        there = cal.make_date(year, month, number)
    else:
        lean = {"dernier": PAST, "passe": PAST, "prochain": FUTURE}.get(match["rel"] or "", scene.lean(match))
        there = cal.day_in_year(scene.today, month, number, lean, weekday)
    start = match.start("wd") if match["wd"] else match.start("d")
    begin = match.start() if match[0].startswith(("le ", "ce ")) else start
    return [Found(begin, match.end(), Span(there))] if there else None


@rule(
    r"(?:du|entre le) (?:{WD} )?(?P<a>{D})(?: (?P<mon0>{MON}))? (?:au|et le|jusqu'au) (?:{WD} )?(?P<b>{D})(?:"
    r" (?P<mon>{MON})" + YEAR + ")?",
    r"(?:du |le )?(?P<a>{D}) ?- ?(?P<b>{D}) (?P<mon>{MON})(?P<mon0>)" + YEAR,
)
def _range(match: re.Match[str], scene: Scene) -> Reading:
    """« du 3 au 7 mars », « entre le 3 et le 7 »."""
    moved = scene.moved(match)
    lean, a, b = FUTURE if moved else scene.lean(match), day_number(match["a"]), day_number(match["b"])
    year = year_of(match.groupdict(), scene.today)
    end_month = match["mon"] or match["mon0"]
    if end_month is None:
        if not _DAY_FOLLOWS.match(scene.after(match.end())) or b <= a:
            return None
        first = cal.day_of_month(scene.today, a, lean)
        last = first and cal.make_date(first.year, first.month, b)
    else:
        month = FR_MONTHS[match["mon0"] or end_month]
        first = cal.make_date(year, month, a) if year else cal.day_in_year(scene.today, month, a, lean)
        last = first and cal.make_date(first.year, FR_MONTHS[end_month], b)
    if not first or not last or last <= first:
        return None
    middle, after = match.end("mon0") if match["mon0"] else match.end("a"), match.start("b")
    return [
        Found(match.start("a"), middle, Span(first), "at" if moved else "from"),
        Found(after, match.end(), Span(last), "at" if moved else "until"),
    ]


_DAY_FOLLOWS = re.compile(
    r" *(?:$|[.,;:!?)\n\"]|- )| +a \d| +(?:et|ou|on|nous|je|j'|tu|il|elle|ils|elles|vous|mais|car|donc|parce"
    r"|puisque|pour|avec"
    r"|chez|au plus tard|a (?:midi|partir)|vers|si|quand|sans|sauf|inclus|compris|au lieu|plutot|comme|dans"
    r"|par|qui|que|la|le|les"
    r"|l'|en|(?:de |d')\w+(?:er|ir|re|oir))(?![a-z])"
)
_VERB_FOLLOWS = re.compile(r" +(?:est|etait|a|avait|sera|\w+(?:ait|era|ra|aient))\b")
_STRONG = re.compile(
    r"\b(?:(?:a (?:partir|compter|dater)|date|matinee|soiree|journee|nuit) du|depuis le|jusqu'au|d'ici (?:le|au)"
    r"|(?:avant|des|apres|pour|vers|au plus tard) le|autour du|(?:prevue?s?|calee?s?|echue?|effet|effecti\w+"
    r"|applicables?) (?:le|au|pour le)"
    r"|(?:report|decal|repouss|deplac|avanc|fix)\w+ au) $"
)
_NOT_A_DAY = re.compile(rf"\b(?:{words(_CHOICES)})\b[^.;,]{{0,12}}(?:le|du|au) $")
_CHOSEN = re.compile(r" (?:qui|que|la|le|les)\b|,? (?:et|ou|pas|puis) (?:le|la) [1-4]\b")
_HAPPENS = re.compile(rf"\b(?:{words(_EVENTS)})s?\b[^.;]{{0,40}}(?:le|du|au|:) ?(?:le |du |au )?$")


@rule(
    r"(?:le|du|au|ce) (?:(?P<wd>{WD}) )?(?P<d>{D}){PART}?(?P<rel> dernier| prochain)?",
    r"(?P<wd>{WD}) (?P<d>{D}){PART}?(?P<rel>)",
)
def _day_alone(match: re.Match[str], scene: Scene) -> Reading:
    """« le 3 », « à compter du 20 », « mardi 3 »; not « le 3 pièces », « le 2 est mort », « je prends le 3 »."""
    first = match.start("wd") if match["wd"] else match.start("d")
    before, after = scene.before(first), scene.after(match.end())
    told = match[0].startswith("du ") and _VERB_FOLLOWS.match(after) and _HAPPENS.search(before)
    if match["d"] == "premier" or not (told or _DAY_FOLLOWS.match(after)):
        return None
    lean = scene.lean(match)
    if match["rel"]:
        lean = PAST if "dernier" in match["rel"] else FUTURE
    if not (match["wd"] or match["rel"] or _STRONG.search(before)):
        article = match[0][:2]
        unsaid = article in ("du", "au") and lean == OPEN and not _HAPPENS.search(before)
        if unsaid or _NOT_A_DAY.search(before) or _CHOSEN.match(after) or re.search(r"\b(?:pas|non) le $", before):
            return None
    if lean == OPEN and not re.search(r"(?<!partir )(?<!compter )(?<!dater )\bdu $", before):
        lean = FUTURE
    weekday = FR_WEEKDAYS[match["wd"]] if match["wd"] else None
    there = cal.day_of_month(scene.today, day_number(match["d"]), lean, weekday)
    begin = match.start() if match[0].startswith(("le ", "ce ")) else first
    return [Found(begin, match.end(), Span(there))] if there else None


@rule(
    r"(?:le |du |au |depuis le |jusqu'au |avant le )(?P<d>0?[1-9]|[12]\d|3[01])/(?P<m>0?[1-9]"
    r"|1[0-2])(?:/(?P<y>\d{4}|\d\d))?"
)
def _slashed(match: re.Match[str], scene: Scene) -> Reading:
    """« le 3/4 » is the third of April; not « les 3/4 », « le 3/4 des gens »."""
    if re.match(r" (?:de|des|du|d')(?![a-z])", scene.after(match.end())) or match[0].endswith("24/7"):
        return None
    month, number = int(match["m"]), int(match["d"])
    if match["y"]:
        year = int(match["y"]) + (2000 if len(match["y"]) == 2 else 0)
        there = cal.make_date(year, month, number)
    else:
        there = cal.day_in_year(scene.today, month, number, scene.lean(match))
    return [Found(match.start("d"), match.end(), Span(there))] if there else None


_FEASTS = [
    name
    for name in cal.HOLIDAYS
    if name in ("noel", "toussaint", "paques", "ascension", "pentecote") or " de " in name or "saint" in name
]


@rule(r"(?P<day>" + any_of([*_FEASTS, "nouvel an", "jour de l'an"]) + r")(?: (?P<y>{Y}|dernier|prochain|passe))?")
def _holiday(match: re.Match[str], scene: Scene) -> Reading:
    said = match["y"] or ""
    years = [int(said)] if said.isdecimal() else [scene.today.year + step for step in (-1, 0, 1)]
    lean = {"dernier": PAST, "passe": PAST, "prochain": FUTURE}.get(said, scene.lean(match) or FUTURE)
    there = cal.pick(scene.today, (cal.holiday(match["day"], year) for year in years), lean)
    return Span(there) if there else None

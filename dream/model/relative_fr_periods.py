"""French periods and their parts: « le mois prochain », « fin mars », « le premier lundi d'avril », « au T2 »."""

from __future__ import annotations

import re
from datetime import date

from dream.model import calendar as cal
from dream.model.calendar import OPEN, PAST, Span
from dream.model.relative_rule import Found, Reading, Scene, Vocabulary, any_of, around
from dream.model.relative_words import (
    FR_COLLECTIVES,
    FR_MONTHS,
    FR_NUMBERS,
    FR_ORDINALS,
    FR_SEASONS,
    FR_UNITS,
    FR_WEEKDAYS,
    day_number,
)

YEAR = r"(?: (?:de )?(?:(?P<y>{Y})|(?P<yrel>{YREL})))?"

FRAGMENTS = {
    "N": any_of(FR_NUMBERS) + r"|\d{1,4}",
    "COLL": any_of(FR_COLLECTIVES),
    "ABOUT": r"(?:un (?:tout petit )?peu )?(?:plus|moins) (?:de|d')|a peu pres|environ|pres de|presque|a peine|plus de"
    r"|moins d'|moins de|bientot|quelque|grosso modo|genre",
    "UNIT": any_of(FR_UNITS),
    "WD": any_of(FR_WEEKDAYS),
    "MON": any_of(FR_MONTHS),
    "NTH": any_of(FR_ORDINALS),
    "D": r"1 ?er|premier|0?[1-9]|[12]\d|3[01]",
    "Y": r"(?:19|20)\d\d",
    "PART": r"(?:(?: (?:au |en )?|-)(?:matin(?:ee)?|midi|soir(?:ee)?|apres[\x20-]?midi|aprem|nuit|debut de (?:matinee"
    r"|soiree)"
    r"|fin de (?:matinee|journee)))",
    "AFTER": r"prochaine?|suivante?|qui (?:vient|arrive)|a venir|d'apres|derniere?|passee?|precedente?|ecoulee?|en"
    r" cours|courante?",
    "YREL": r"l'an(?:nee)? {AFTER}|cette annee|l'annee",
    "WEEK": r"(?:la )?semaine {AFTER}|cette semaine(?:[\x20-]ci)?",
    "MOIS": r"(?:le |du )?mois {AFTER}|ce mois(?:[\x20-]?ci)?",
    "GRAIN": r"week[\x20-]?end|semaine|mois|trimestre|semestre|annee|an",
    "RELATIVE": r"(?:l[ae] |l'|du )?{GRAIN} {AFTER}|(?:ce|cette|cet) {GRAIN}(?:[\x20-]?ci)?",
    "BARE": r"la semaine|le mois|l'annee|le trimestre|le semestre|du mois|du trimestre|du semestre|semaine|mois|annee"
    r"|trimestre|l'an",
    "THAT_YEAR": r"(?: (?:de )?(?:{Y}|{YREL}))?",
    "QUARTER": r"[qt][1-4]|s[12]|(?:le |du |au )?(?:premier|deuxieme|second|troisieme|quatrieme|dernier|1er|2e|2eme|3e"
    r"|3eme|4e|4eme)"
    r" (?:trimestre|semestre)",
    "NAMED": r"(?:(?:le |du )?mois (?:de |d'))?{MON}(?: {AFTER}|{THAT_YEAR})|{QUARTER}(?: (?:de )?(?:{Y}|{YREL})|)",
    "SEASON": any_of(FR_SEASONS),
    "SEASONAL": r"(?:cet |ce |l'|le |au |en )?{SEASON} {AFTER}|(?:cet|ce) {SEASON}",
    "PERIOD": r"{RELATIVE}|{NAMED}|{SEASONAL}|{BARE}|{Y}",
    "OF": r"(?:de |du |d'|des |de la |de l')",
}
GRAMMAR = Vocabulary(FRAGMENTS)
rule = GRAMMAR.rule

_FORMS: list[tuple[str, re.Pattern[str]]] = [
    (name, GRAMMAR.compile(pattern, bounded=False))
    for name, pattern in (
        ("relative", r"(?:l[ae] |l'|du )?(?P<grain>{GRAIN}) (?P<rel>{AFTER})"),
        ("relative", r"(?P<rel>ce|cette|cet) (?P<grain>{GRAIN})(?:[\x20-]?ci)?"),
        ("relative", r"(?:l[ae] |l'|du )?(?P<rel>)(?P<grain>{GRAIN})"),
        ("month", r"(?:(?:le |du )?mois (?:de |d'))?(?P<month>{MON})(?: (?P<rel>{AFTER})|" + YEAR + ")"),
        (
            "quarter",
            r"(?:le |du |au )?(?:[qt](?P<q>[1-4])|s(?P<h>[12])|(?P<nth>\w+) (?P<size>trimestre|semestre))(?:"
            r" (?:de )?(?:(?P<y>{Y})|(?P<yrel>{YREL})))?",
        ),
        ("season", r"(?:cet |ce |l'|le |au |en )?(?P<season>{SEASON})(?: (?P<rel>{AFTER}))?"),
        ("year", r"(?P<y>{Y})"),
    )
]
Parts = dict[str, str | None]
_GRAINS = {
    "semaine": "week",
    "mois": "month",
    "trimestre": "quarter",
    "semestre": "half",
    "annee": "year",
    "an": "year",
}


def offset(words: str | None) -> int:
    """-1 (« dernier »), 0 or 1 (« prochain »)."""
    if words and re.match(r"prochain|suivant|qui |a venir|d'apres", words):
        return 1
    return -1 if words and re.match(r"dernier|passe|precedent|ecoule", words) else 0


def read_period(words: str, today: date, lean: int) -> Span | None:
    """The stretch that `words` (all of them) name."""
    for kind, pattern in _FORMS:
        match = pattern.match(words)
        if match:
            return _PERIODS[kind](match.groupdict(), today, lean)
    return None


def year_of(parts: Parts, today: date) -> int | None:
    """The year that `y` names or `yrel` (« l'an dernier ») points to."""
    if parts.get("y"):
        return int(str(parts["y"]))
    words = parts.get("yrel")
    return today.year + offset(re.sub(r"^\S*(?:an|annee) ?", "", words)) if words else None


def _relative(parts: Parts, today: date, lean: int) -> Span | None:
    words, shift = str(parts["grain"]), offset(parts["rel"])
    grain = _GRAINS.get(words, "weekend")
    if grain == "weekend" and shift == 0 and lean == PAST and today.weekday() < 5:
        shift = -1
    return around(today, grain, shift)


def _month(parts: Parts, today: date, lean: int) -> Span | None:
    return cal.named_month(today, FR_MONTHS[str(parts["month"])], offset(parts["rel"]), year_of(parts, today), lean)


def _quarter(parts: Parts, today: date, lean: int) -> Span | None:
    grain = "half" if parts["h"] or parts["size"] == "semestre" else "quarter"
    digit = parts["q"] or parts["h"]
    index = int(digit) if digit else FR_ORDINALS.get(str(parts["nth"]), 0)
    index = (2 if grain == "half" else 4) if index == -1 else index
    return cal.part_of_year(today, grain, index, year_of(parts, today), lean)


def _season(parts: Parts, today: date, lean: int) -> Span | None:
    return cal.named_season(today, FR_SEASONS[str(parts["season"])], offset(parts["rel"]), lean)


def _year(parts: Parts, today: date, lean: int) -> Span | None:
    return Span(date(int(str(parts["y"])), 1, 1), "year")


_PERIODS = {"relative": _relative, "month": _month, "quarter": _quarter, "season": _season, "year": _year}


@rule(r"(?:(?:plus tot|plus tard|courant|au cours de|en cours de|dans) )?(?P<period>{RELATIVE}|{SEASONAL})")
def _relative_period(match: re.Match[str], scene: Scene) -> Reading:
    """« la semaine prochaine », « ce mois-ci », « l'an dernier »; « le mois suivant » hangs on another date."""
    period = match["period"]
    if scene.passed(match):
        return None
    if re.search(r"suivante?$|d'apres$|precedente?$|ecoulee?$|courante?$|\bpassee?$", period) and not re.search(
        r"(?:semaine|annee) passee$|(?:mois|an|week[ -]?end|trimestre) passe$|mois courant$", period
    ):
        return None
    if period.startswith(("mois", "semaine", "an ", "annee", "trimestre")) and re.search(
        r"\b(?:\d+|un|une|deux|trois|des) $", scene.before(match.start())
    ):
        return None
    return read_period(period, scene.today, scene.lean(match))


@rule(
    r"(?:depuis|pendant|durant|avant|apres|d'ici|a la fin de|jusqu'a|des) (?P<period>(?:l'|le |au ){SEASON})",
    r"(?P<period>au printemps|a l'automne|cet (?:ete|hiver|automne)|ce printemps)",
)
def _season_alone(match: re.Match[str], scene: Scene) -> Reading:
    words = re.sub(r"^a l'", "l'", match["period"])
    span = read_period(words, scene.today, scene.lean(match))
    return [Found(match.start("period"), match.end(), span)] if span else None


@rule(r"(?:de|d'|entre|du mois de) ?(?P<a>{MON}) (?:a|et|au mois de) (?P<b>{MON})(?P<year>{THAT_YEAR})")
def _month_range(match: re.Match[str], scene: Scene) -> Reading:
    """« de mars à juin »."""
    lean, year = scene.lean(match), match["year"]
    last = read_period(match["b"] + year, scene.today, lean)
    first = read_period(match["a"] + year, last.first, PAST) if last else None
    if not first or not last or (year and first.first > last.first):
        return None
    return [
        Found(match.start("a"), match.end("a"), first, "from"),
        Found(match.start("b"), match.end(), last, "until"),
    ]


@rule(r"(?:ce|le|du|au|pendant le|durant le|dans le) week[\x20-]?end")
def _weekend(match: re.Match[str], scene: Scene) -> Reading:
    lean = scene.lean(match)
    if match[0].startswith("le ") and lean == OPEN:
        return None  # « le week-end » of habit
    return around(scene.today, "weekend", -1 if lean == PAST and scene.today.weekday() < 6 else 0)


@rule(
    r"(?:la |le )?(?P<grain>semaine|week[\x20-]?end) (?:du |commencant le )(?:{WD} )?(?P<d>{D})(?: (?P<mon>{MON}))?",
    r"sem(?:aine|\.)? (?:n°? ?)?(?P<iso>\d{1,2})",
)
def _week_of(match: re.Match[str], scene: Scene) -> Reading:
    parts, lean = match.groupdict(), scene.lean(match)
    if parts.get("iso"):
        return cal.iso_week(scene.today, int(parts["iso"]), lean)
    if parts.get("mon"):
        there = cal.day_in_year(scene.today, FR_MONTHS[parts["mon"]], day_number(parts["d"]), lean)
    else:
        there = cal.day_of_month(scene.today, day_number(parts["d"]), lean)
    return cal.period(there, "week" if match["grain"] == "semaine" else "weekend", 0) if there else None


_CONTEXT = re.compile(
    r"(?:\b(?:en|de|du mois de|au mois de|depuis|avant|apres|des|pour|jusqu'en|jusqu'a|d'ici|d'ici a|a partir"
    r" de|a compter de"
    r"|debut|fin|mi|courant|vers|entre|et)[ -]*|d'|-)$"
)
_BARE_QUARTER = re.compile(
    r"\b(?:au|du|le|fin|debut|pour le|d'ici le|en|courant|sur le|des le|avant le|apres le|depuis le|objectifs?"
    r"|okr) *$"
)


@rule(r"(?P<period>{NAMED})")
def _named_period(match: re.Match[str], scene: Scene) -> Reading:
    """« en mars », « depuis mars dernier », « T2 2026 »; a bare « mars » or « mai » needs a word of time before it."""
    words, before, after = match["period"], scene.before(match.start()), scene.after(match.end())
    if words.split()[0] in FR_MONTHS and re.search(r"(?:\b\d{1,2}|1er|premier) $", before):
        return None
    if words in FR_MONTHS and not _CONTEXT.search(before):
        return None
    if re.fullmatch(r"[qts][1-4]", words) and (not _BARE_QUARTER.search(before) or re.match(r" ?[:)]", after)):
        return None
    if words.endswith(("suivant", "d'apres", "precedent")):
        return None
    return read_period(words, scene.today, scene.lean(match))


@rule(
    r"(?:en|depuis|des|jusqu'en|avant|apres|d'ici|courant|fin|debut|mi|de|pour|a partir de|a compter"
    r" de)[\x20-](?:fin |debut |mi-?)?(?:l'annee )?(?P<y>{Y})"
)
def _year_alone(match: re.Match[str], scene: Scene) -> Reading:
    after = scene.after(match.end())
    follow = re.match(r" +([a-z]+)", after)
    if follow and (
        follow[1].endswith(("s", "x"))
        and follow[1] not in ("nous", "vous", "ils", "elles", "dans", "mais", "sous", "sans", "vers", "apres")
    ):
        return None
    if re.match(r" ?(?:ms|px|mo|ko|go|bits?|octets?|k|x|€|-|euros?)(?![a-z])", after) or (
        match[0].startswith("de ")
        and not re.search(r"(?:fin|debut|mi|an|annee|courant) $", scene.before(match.start()))
    ):
        return None
    return [Found(match.start("y"), match.end("y"), Span(date(int(match["y"]), 1, 1), "year"))]


_EDGES = {"fin": "end", "debut": "start", "mi": "middle", "milieu": "middle"}


@rule(
    r"(?:(?:a |en |vers |sur |pour |des |d'ici )?(?:la |le )?(?:toute )?)(?P<edge>fin|debut|milieu)(?: {OF}|"
    r" )(?P<period>{PERIOD})",
    r"(?:a la )?(?P<edge>mi)[\x20-](?P<period>{MON}{THAT_YEAR}|{RELATIVE}|{MOIS}|semaine)",
)
def _edge(match: re.Match[str], scene: Scene) -> Reading:
    """« à la fin du mois prochain » is its last day, « mi-avril » about the 15th, « début mars » about the 1st."""
    period, lean = match["period"], scene.lean(match)
    if re.match(r" ?\d", scene.after(match.end())) and period in FR_MONTHS:
        return None
    if period in ("semaine", "mois", "annee", "an") and re.search(
        r"\b(?:chaque|toutes? les|tous les|une|en une) $", scene.before(match.start())
    ):
        return None
    span = read_period(period, scene.today, lean)
    if span is None:
        return None
    if span.granularity == "week" and match["edge"] != "fin":
        return span
    return cal.edge(span, _EDGES[match["edge"]])


@rule(
    r"(?:le |la |au |a la |du |de la |l')?(?P<nth>{NTH}) (?:(?P<wd>{WD}){PART}?|(?P<unit>jour|semaine"
    r"|week[\x20-]?end|jour ouvre)) {OF}(?P<period>{PERIOD})"
)
def _nth_of(match: re.Match[str], scene: Scene) -> Reading:
    """« le premier lundi du mois prochain »; « le premier lundi du mois » only where the tense says which."""
    lean, period = scene.lean(match), match["period"]
    habit = period in ("mois", "le mois", "du mois")
    unsaid = lean == OPEN or re.search(r"\b(?:pass\w+|chaque|tous) $", scene.before(match.start()))
    if habit and match["wd"] and unsaid:
        return None
    nth = FR_ORDINALS[match["nth"]]
    if habit and match["wd"]:
        return cal.nth_weekday_soon(scene.today, FR_WEEKDAYS[match["wd"]], nth, lean)
    span = read_period(period, scene.today, lean)
    if span is None or match["wd"] is None:
        parts = {"jour": "day", "semaine": "week", "jour ouvre": "workday"}
        return span and cal.nth_part(span, nth, parts.get(str(match["unit"]), "weekend"))
    there = cal.nth_weekday(span, FR_WEEKDAYS[match["wd"]], nth)
    return Span(there) if there else None

"""The words of dates in English and French, folded (no case, no accents)."""

from __future__ import annotations

EN_WEEKDAYS = {
    name: index
    for index, names in enumerate(
        "monday mon|tuesday tue tues|wednesday wed weds|thursday thu thur thurs|friday fri|saturday sat"
        "|sunday sun".split("|")
    )
    for name in names.split()
}
FR_WEEKDAYS = {
    name: index for index, name in enumerate(("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"))
}
EN_MONTHS = {
    name: index
    for index, names in enumerate(
        (
            "january jan",
            "february feb febr",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
FR_MONTHS = {
    name: index
    for index, names in enumerate(
        (
            "janvier janv",
            "fevrier fevr fev",
            "mars",
            "avril avr",
            "mai",
            "juin",
            "juillet juil",
            "aout",
            "septembre sept",
            "octobre oct",
            "novembre nov",
            "decembre dec",
        ),
        start=1,
    )
    for name in names.split()
}

_EN_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
).split()
_EN_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
EN_NUMBERS = (
    {name: number for number, name in enumerate(_EN_UNITS) if number}
    | _EN_TENS
    | {
        f"{ten}{joint}{unit}": value + digit
        for ten, value in _EN_TENS.items()
        for digit, unit in enumerate(_EN_UNITS[:10])
        if digit
        for joint in "- "
    }
    | {
        "a": 1,
        "an": 1,
        "a couple of": 2,
        "a couple": 2,
        "couple of": 2,
        "a pair of": 2,
        "a dozen": 12,
        "a hundred": 100,
    }
)

_FR_UNITS = (
    "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
    " dix-huit dix-neuf"
).split()
_FR_TENS = {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60}
FR_NUMBERS = (
    {name: number for number, name in enumerate(_FR_UNITS) if number}
    | {name.replace("-", " "): number for number, name in enumerate(_FR_UNITS) if "-" in name}
    | _FR_TENS
    | {f"{ten} et un": value + 1 for ten, value in _FR_TENS.items()}
    | {
        f"{ten}{joint}{unit}": value + digit
        for ten, value in _FR_TENS.items()
        for digit, unit in enumerate(_FR_UNITS[:10])
        if digit > 1
        for joint in "- "
    }
    | {"quatre-vingt-dix": 90, "une": 1, "cent": 100}
)
FR_COLLECTIVES = {
    "huitaine": 7,
    "dizaine": 10,
    "douzaine": 12,
    "quinzaine": 14,
    "vingtaine": 20,
    "trentaine": 30,
    "quarantaine": 40,
    "cinquantaine": 50,
    "centaine": 100,
}
"""A `huitaine` of days is a week and a `quinzaine` two: both count the day they start on."""

FR_DAY_IDIOMS = {8: 7, 15: 14}
"""« huit jours » is a week, « quinze jours » two."""

EN_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "5th": 5,
    "last": -1,
    "final": -1,
}
FR_ORDINALS = {
    "premier": 1,
    "premiere": 1,
    "1er": 1,
    "1ere": 1,
    "deuxieme": 2,
    "second": 2,
    "seconde": 2,
    "2e": 2,
    "2eme": 2,
    "troisieme": 3,
    "3e": 3,
    "3eme": 3,
    "quatrieme": 4,
    "4e": 4,
    "4eme": 4,
    "dernier": -1,
    "derniere": -1,
}

EN_UNITS = {
    "minute": "minute",
    "minutes": "minute",
    "mins": "minute",
    "hour": "hour",
    "hours": "hour",
    "hrs": "hour",
    "day": "day",
    "days": "day",
    "business day": "workday",
    "business days": "workday",
    "working day": "workday",
    "working days": "workday",
    "week": "week",
    "weeks": "week",
    "wks": "week",
    "fortnight": "fortnight",
    "fortnights": "fortnight",
    "month": "month",
    "months": "month",
    "quarter": "quarter",
    "quarters": "quarter",
    "year": "year",
    "years": "year",
    "yrs": "year",
}
FR_UNITS = {
    "minute": "minute",
    "minutes": "minute",
    "heure": "hour",
    "heures": "hour",
    "jour": "day",
    "jours": "day",
    "jour ouvre": "workday",
    "jours ouvres": "workday",
    "jour ouvrable": "workday",
    "jours ouvrables": "workday",
    "semaine": "week",
    "semaines": "week",
    "sem": "week",
    "mois": "month",
    "trimestre": "quarter",
    "trimestres": "quarter",
    "semestre": "half",
    "semestres": "half",
    "an": "year",
    "ans": "year",
    "annee": "year",
    "annees": "year",
}
EN_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
FR_SEASONS = {"printemps": 3, "ete": 6, "automne": 9, "hiver": 12}
"""First month of the season in the northern hemisphere, as weather services count them."""


def number_en(words: str) -> int | None:
    """`ten`, `twenty-one`, `a couple of`, `14`; None where it is no number."""
    return int(words) if words.isdecimal() and words.isascii() else EN_NUMBERS.get(" ".join(words.split()))


def number_fr(words: str) -> int | None:
    """`dix`, `vingt et un`, `une`, `14`; None where it is no number."""
    return int(words) if words.isdecimal() and words.isascii() else FR_NUMBERS.get(" ".join(words.split()))


def day_number(words: str) -> int:
    """`3`, `3rd`, `03`, `1er`, `premier`, `first`: the day of a month."""
    digits = "".join(char for char in words if char.isdigit())
    return int(digits) if digits else 1

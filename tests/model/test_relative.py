"""Dates in French and English prose: read from the line's own day, in the configured zone, whatever the night."""

from __future__ import annotations

import os
import re
import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.model.relative import Dated, resolve, rewrite

PARIS = "Europe/Paris"
TABLE = Path(__file__).with_name("relative_dates.txt")


def said(day: str, clock: str = "10:00:00+01:00") -> str:
    return f"{day}T{clock}"


def table() -> list[tuple[str, str, tuple[str, ...]]]:
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    rows = [re.fullmatch(r"(\S+) \| (.*) \|(.*)", line) for line in lines]
    return [(row[1], row[2], tuple(row[3].split())) for row in rows if row]


@pytest.mark.parametrize(("day", "text", "dates"), table())
def test_a_sentence_speaks_of_these_dates(day: str, text: str, dates: tuple[str, ...]) -> None:
    assert tuple(found.iso for found in resolve(text, said(day), PARIS)) == dates


def test_e05_hier_is_the_day_before_the_line_whatever_night_reads_it() -> None:
    (found,) = resolve("c'est tombé hier", "2026-11-28T23:50:00+01:00", PARIS)
    assert found.iso == "2026-11-27"


@pytest.mark.parametrize(
    ("instant", "zone", "iso"),
    [
        ("2026-02-19T23:38:00.632Z", PARIS, "2026-02-20"),
        ("2026-02-19T23:38:00.632Z", "UTC", "2026-02-19"),
        ("2026-02-19T23:38:00.632Z", "America/Montreal", "2026-02-19"),
        ("2026-03-29T00:30:00.000Z", PARIS, "2026-03-29"),
    ],
)
def test_the_day_is_that_of_the_zone(instant: str, zone: str, iso: str) -> None:
    (found,) = resolve("done today", instant, zone)
    assert found.iso == iso


@pytest.mark.parametrize(
    ("text", "iso"), [("2 hours ago the disk filled up", "2026-01-22"), ("il y a 20 minutes", "2026-01-23")]
)
def test_hours_can_cross_midnight(text: str, iso: str) -> None:
    (found,) = resolve(text, said("2026-01-23", "01:30:00+01:00"), PARIS)
    assert found.iso == iso


@pytest.mark.parametrize(
    ("text", "granularity"),
    [
        ("hier", "day"),
        ("next week", "week"),
        ("le mois dernier", "month"),
        ("last year", "year"),
        ("au T2", "quarter"),
        ("over the weekend we moved", "weekend"),
        ("l'été dernier", "season"),
        ("H2 2026", "half"),
        ("fin mars", "day"),
    ],
)
def test_granularity_is_told(text: str, granularity: str) -> None:
    (found,) = resolve(text, said("2026-01-23"), PARIS)
    assert found.granularity == granularity


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("à compter du 20", ["from"]),
        ("depuis mardi", ["from"]),
        ("depuis trois jours", ["from"]),
        ("since last Tuesday", ["from"]),
        ("effective March 1st", ["from"]),
        ("as of next week", ["from"]),
        ("from Monday on", ["from"]),
        ("dès la semaine prochaine", ["from"]),
        ("starting in March", ["from"]),
        ("jusqu'au 30", ["until"]),
        ("jusqu'à la fin du mois", ["until"]),
        ("until the end of June", ["until"]),
        ("through Friday", ["until"]),
        ("du 3 au 7 mars", ["from", "until"]),
        ("from April 20 to May 4", ["from", "until"]),
        ("on Monday", ["at"]),
        ("by Friday", ["at"]),
        ("d'ici vendredi", ["at"]),
        ("avant le 15 mars", ["at"]),
    ],
)
def test_the_words_before_a_date_say_whether_it_is_a_border(text: str, roles: list[str]) -> None:
    assert [found.role for found in resolve(text, said("2026-01-23"), PARIS)] == roles


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("demo moved to next Thursday", "demo moved to next Thursday (2026-01-29)"),
        ("Le bail est signé depuis hier.", "Le bail est signé depuis hier (2026-01-22)."),
        ("Next week we move.", "Next week (week of 2026-01-26) we move."),
        ("il y a deux mois environ", "il y a deux mois (about 2025-11-23) environ"),
        ("due in Q2", "due in Q2 (2026-04 to 2026-06)"),
        ("signed on 3 March 2025", "signed on 3 March 2025"),
        ("on 2026-03-05 we met", "on 2026-03-05 we met"),
        ("yesterday's outage", "yesterday's (2026-01-22) outage"),
        ("rien à dater", "rien à dater"),
    ],
)
def test_a_sentence_is_made_readable_years_later_in_its_own_words(text: str, written: str) -> None:
    found = resolve(text, said("2026-01-23"), PARIS)
    assert rewrite(text, found) == written
    assert rewrite(written, resolve(written, said("2026-01-23"), PARIS)) == written


def test_the_phrase_is_the_original_text_whatever_its_letters() -> None:
    text = "🙂 Décalé AU FÉVRIER ? non : l’audit c’est Après‑demain"
    (found,) = resolve(text, said("2026-01-23"), PARIS)
    assert text[found.start : found.end] == found.phrase == "Après‑demain"
    assert found.iso == "2026-01-25"


def test_decomposed_accents_are_read_like_composed_ones() -> None:
    (found,) = resolve("apre\u0300s-demain", said("2026-01-23"), PARIS)
    assert found.iso == "2026-01-25"


WORDS = st.sampled_from(
    """hier demain lundi Tuesday le la du au of the last next prochain dernier semaine week mois month mars March May
    mai 3 20 31 3rd 14th il y a dans in ago jours days ans years fin end début de depuis since until jusqu'au from à
    partir deux 9999 99999 two quinze - / . 2026-02-30 2026-02 0 first premier Q2 T2 week-end weekend before after
    yesterday 2024 1/2 24/7 ce this""".split()
)


def check(text: str, found: tuple[Dated, ...]) -> None:
    end = 0
    for each in found:
        assert end <= each.start < each.end <= len(text)
        assert text[each.start : each.end] == each.phrase
        end = each.end
        full = {4: "-01-01", 7: "-01", 10: ""}[len(each.iso)]
        first = date.fromisoformat(each.iso + full)
        assert first <= date.fromisoformat(each.last)
        assert each.role in ("at", "from", "until")
        if each.granularity == "week":
            assert first.weekday() == 0


@given(st.lists(WORDS, max_size=14).map(" ".join), st.dates(date(2, 1, 1), date(9998, 12, 1)))
def test_any_sentence_of_date_words_gives_valid_dates(text: str, day: date) -> None:
    found = resolve(text, said(day.isoformat()), PARIS)
    check(text, found)
    rewrite(text, found)


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    check(text, resolve(text, said("2026-01-23"), PARIS))


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(0, 40))
def test_amounts_go_back_and_forth_by_as_many_days(day: date, count: int) -> None:
    if count in (0, 8, 15):
        return
    for text, step in (
        (f"il y a {count} jours", -count),
        (f"{count} days ago", -count),
        (f"dans {count} jours", count),
    ):
        (found,) = resolve(text, said(day.isoformat()), PARIS)
        assert found.iso == (day + timedelta(days=step)).isoformat()


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(0, 6))
def test_last_and_next_weekday_lie_within_a_week_on_either_side(day: date, weekday: int) -> None:
    name = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()[weekday]
    for text, low, high in ((f"last {name}", -7, -1), (f"next {name}", 1, 7)):
        (found,) = resolve(text, said(day.isoformat()), PARIS)
        there = date.fromisoformat(found.iso)
        assert there.weekday() == weekday
        assert low <= (there - day).days <= high


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the machine's zone can be set on POSIX only")
def test_the_machines_zone_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for _, text, _ in table()[:60]]
    seen = []
    for zone in ("Pacific/Kiritimati", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        seen.append([resolve(text, said("2026-01-23"), PARIS) for text in texts])
    monkeypatch.delenv("TZ")
    os.environ.pop("TZ", None)
    time.tzset()
    assert seen[0] == seen[1]


def test_long_text_is_read_in_time_that_grows_with_its_length() -> None:
    text = "le mardi 3 et la fin du mois de " * 3000
    began = time.perf_counter()
    resolve(text, said("2026-01-23"), PARIS)
    assert time.perf_counter() - began < 10

"""The page of a night: compared with one a person can read, and safe to render."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.cycle.changelog import QUOTED, Held, Line, NightSummary, Replacement, changelog, escape

GOLDEN = Path(__file__).with_name("golden_changelog.md")


def ident(prefix: str, number: int) -> str:
    return f"{prefix}-{number:024x}"


FULL = NightSummary(
    night="2026-03-12",
    judge="rules",
    seconds=73.4,
    sessions=4,
    notes=212,
    caught_up=1,
    denied=2,
    added=(
        Line(ident("f", 1), "Le bail de l'atelier court jusqu'au 30 juin (2026-06-30)."),
        Line(ident("f", 2), "We grade olives by size before pressing_them, never * after.", "said twice"),
    ),
    said_again=(Line(ident("f", 3), "Invoices leave on the last Friday.", "5 times now"),),
    superseded=(
        Replacement(
            Line(ident("f", 4), "The press runs at 27 °C."),
            Line(ident("f", 5), "La presse tourne à 25 °C."),
            "2026-03-09",
        ),
    ),
    retracted=(Line(ident("f", 6), "Nora keeps the keys."),),
    merged=((Line(ident("f", 7), "Deliveries come on Tuesday."), Line(ident("f", 8), "Tuesday is delivery day.")),),
    contradictions=((Line(ident("f", 9), "Tank 3 holds 900 l."), Line(ident("f", 10), "Tank 3 holds 800 l.")),),
    held=(Held(ident("h", 1), "Maybe we sell the old mill", 61, "said as a possibility, not as a fact"),),
    rejected=(("a question", 14), ("said for the moment only", 9)),
    tiers=(("active", "dark", 3), ("dark", "cold", 1)),
    carried=("1 session was still going on and waits for the next night.",),
    warnings=("2 lines of a transcript could not be read.",),
    first=120,
    last=131,
    root="9f" * 32,
)


def test_a_full_night_reads_like_the_page_kept_beside_this_test() -> None:
    assert changelog(FULL) == GOLDEN.read_text(encoding="utf-8")


def test_a_quiet_night_is_short_and_says_so() -> None:
    page = changelog(NightSummary(night="2026-03-13", judge="rules", seconds=0.2))
    assert "Nothing new was said" in page
    assert "##" not in page
    assert "undo" not in page
    assert "less than a second" in page


def test_a_night_that_kept_nothing_admits_it() -> None:
    page = changelog(NightSummary(night="2026-03-13", judge="rules", seconds=3, sessions=1, notes=4))
    assert "nothing in them was worth keeping" in page


def test_a_dry_run_says_that_nothing_was_written() -> None:
    page = changelog(NightSummary(night="2026-03-13", judge="rules", seconds=3, sessions=1, notes=4, dry=True))
    assert "Nothing was written" in page
    assert "dream undo" not in page


def test_the_judge_is_named() -> None:
    assert "`gemma4:12b`" in changelog(NightSummary(night="2026-03-13", judge="gemma4:12b", seconds=3))


def test_a_long_section_is_cut_and_counted() -> None:
    many = tuple(Line(ident("f", number), f"Fact {number}.") for number in range(QUOTED + 7))
    page = changelog(NightSummary(night="2026-03-13", judge="rules", seconds=3, sessions=1, notes=99, added=many))
    assert page.count("- Fact") == QUOTED
    assert "and 7 more" in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# not a title", r"\# not a title"),
        ("- not a list", r"\- not a list"),
        ("1. not a list", r"1\. not a list"),
        ("*no* [link](x) <b> `code`", r"\*no\* \[link\](x) \<b> \`code\`"),
        ("two\nlines", "two lines"),
        ("snake_case stays, _this_ does not", r"snake_case stays, \_this\_ does not"),
        ("~~kept~~ &amp; R&D", r"\~~kept\~~ \&amp; R&D"),
        (r"C:\dir", r"C:\\dir"),
    ],
)
def test_quoted_text_stays_text(text: str, shown: str) -> None:
    assert escape(text) == shown


@given(st.text(max_size=200))
def test_no_quoted_text_opens_a_block_a_link_or_a_tag(text: str) -> None:
    page = escape(text)
    assert "\n" not in page
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*<\[]", page)
    assert not re.match(r"(?:#{1,6}|[-+>])(?:\s|$)|\d+[.)](?:\s|$)", page)

"""Sentences of prose, French and English; code, logs and quotes left out."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.capture.prose import plain
from dream.capture.sentences import LONGEST, split


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("On part. Il reste.", ["On part.", "Il reste."]),
        ("we use pnpm. never npm.", ["we use pnpm.", "never npm."]),
        ("M. Dupont valide. Mme. Roy aussi.", ["M. Dupont valide.", "Mme. Roy aussi."]),
        ("J. R. Dupont is here. Ask him.", ["J. R. Dupont is here.", "Ask him."]),
        ("See e.g. the notes, i.e. all. Done.", ["See e.g. the notes, i.e. all.", "Done."]),
        ("Logs, traces, etc. go there. Fine.", ["Logs, traces, etc. go there.", "Fine."]),
        ("Logs, traces, etc. They go there.", ["Logs, traces, etc.", "They go there."]),
        ("La v4.2. On garde 3.5 comme seuil.", ["La v4.2.", "On garde 3.5 comme seuil."]),
        ("Version 4.2. et rien d'autre", ["Version 4.2. et rien d'autre"]),
        ("Voir booking.spec.ts. Puis server.ts !", ["Voir booking.spec.ts.", "Puis server.ts !"]),
        ("See .nvmrc. Node 20.", ["See .nvmrc.", "Node 20."]),
        ("Lis https://x.example/a.b?c=d. Merci.", ["Lis https://x.example/a.b?c=d.", "Merci."]),
        ("Il dit « On part. Vraiment. » puis rien. Bon.", ["Il dit « On part. Vraiment. » puis rien.", "Bon."]),
        ("« Tu viens ? » dit-il. Oui.", ["« Tu viens ? » dit-il.", "Oui."]),
        ("Vraiment ? Oui ! Non...", ["Vraiment ?", "Oui !", "Non..."]),
        ("Hm... on verra. Peut-être… Enfin.", ["Hm... on verra.", "Peut-être…", "Enfin."]),
        ("feat(gateway): ... is the scope. Ok.", ["feat(gateway): ... is the scope.", "Ok."]),
        ("ok :) Merci. Bien.", ["ok :) Merci.", "Bien."]),
        ("Un (et un seul. Vraiment. Oui.", ["Un (et un seul.", "Vraiment.", "Oui."]),
        ("Page no. 12 is wrong. He said no. We stop.", ["Page no. 12 is wrong.", "He said no.", "We stop."]),
        ("日本語です。次の文。", ["日本語です。", "次の文。"]),
        ("port is 5433\nuse pnpm\nNoé owns billing", ["port is 5433", "use pnpm", "Noé owns billing"]),
        ("la zone gra9 Et corrige les imports.", ["la zone gra9", "Et corrige les imports."]),
        ("Read The Docs And Then Some", ["Read The Docs And Then Some"]),
        ("12 h.", ["12 h."]),
        ("5433", ["5433"]),
        ("👍", []),
        ("---\n***\n\n", []),
    ],
)
def test_sentences_end_where_a_reader_says_so(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


def test_a_hard_wrapped_paragraph_is_read_across_its_line_ends() -> None:
    text = (
        "We use pnpm in all the packages of the monorepo, because it is quick and the\nlockfile is stable. Never npm."
    )
    assert split(text) == [
        "We use pnpm in all the packages of the monorepo, because it is quick and the lockfile is stable.",
        "Never npm.",
    ]


def test_bullets_headings_and_check_boxes_lose_their_marks_alone() -> None:
    text = "## Décisions\n- SQLite pour les notes.\n* [x] LanceDB\n1. D'abord. Ensuite.\n2) puis\na) enfin\n#hashtag"
    assert split(text) == [
        "Décisions",
        "SQLite pour les notes.",
        "LanceDB",
        "D'abord.",
        "Ensuite.",
        "puis",
        "enfin",
        "#hashtag",
    ]


def test_bold_marks_go_and_other_stars_and_names_stay() -> None:
    assert split("**Port:** 9464. Use `**kwargs` and __init__.py, 2 ** 3.") == [
        "Port: 9464.",
        "Use `**kwargs` and __init__.py, 2 ** 3.",
    ]


def test_colour_codes_go() -> None:
    assert split("\x1b[31mRouge\x1b[0m vif. \x1b]8;;http://x\x07lien\x1b]8;;\x07 Fin") == ["Rouge vif.", "lien Fin"]


@pytest.mark.parametrize(
    "block",
    [
        "```py\nx = 1. Foo\nprint('Secret. Sentence.')\n```",
        "~~~\nIs this prose. No.\n~~~",
        "````\n```\nnested. Yes.\n```\n````",
        "> quoted page. IMPORTANT remember this.\n> And more.",
        "| a | b |\n|---|---|\n| Un. | Deux. |",
        '{"a": 1, "b": [1, 2]}',
        '{\n  "name": "Léa. Dupré",\n  "port": 1\n}',
        '[\n  {\n    "x": 1\n  }\n]',
        "    at foo (/a/b.js:3:4)\n    at Object.<anonymous> (/a/c.js:1:1)",
        'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\n    foo. Bar()',
        "diff --git a/x b/x\nindex 83db48f..bf269f4 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old = 1\n+new = 2",
        "2026-01-12T08:18:53 INFO server started. Ready.\n[08:18:54] ERROR failed. Again.",
        "npm error code E404\nnpm error 404 Not Found\nnpm error path /x",
        "\tat com.x.Foo.bar(Foo.java:31)\n\tat com.x.Foo.baz(Native Method)\n\t... 3 more",
        "const x = 1;\nfunction a() {\n  return x;\n}",
        "import os\nimport sys\ndef main():\n    return os.getcwd()",
        "$ pnpm test\nroot@host:~# ls -l\n-rw-r--r-- 1 root root 12 Jan 1 x\ndrwxr-xr-x 2 root root 12 Jan 1 y",
        "PASS packages/booking/src/slots.spec.ts\nTests: 41 passed, 41 total\nTime: 6.2 s",
        "src/a.ts:3:4 - error TS2304\nsrc/b.ts:9:1 - error TS2304\nsrc/c.ts:1:1 - error TS1005",
        "export A=1\nPORT=5433\nHOST=localhost\nDEBUG=true",
        "<div class='x'>\n<p>Bonjour. Oui.</p>\n</div>",
        "x" * 5000,
    ],
)
def test_what_is_not_prose_is_left_out_and_the_prose_around_it_kept(block: str) -> None:
    prose = ["Voilà ce que je vois.", "Il faut le corriger."]
    assert split(f"{prose[0]}\n{block}\n{prose[1]}") == prose
    assert split(f"{prose[0]}\n\n{block}\n\n{prose[1]}") == prose


def test_the_error_under_its_stack_is_kept() -> None:
    frames = 'Traceback (most recent call last):\n  File "x.py", line 3\n    foo()'
    text = f"Voilà :\n{frames}\nValueError: bad port 5433\nFini."
    assert split(text) == ["Voilà :", "ValueError: bad port 5433", "Fini."]
    assert split("TypeError: x is undefined\n    at foo (/a/b.js:3:4)") == ["TypeError: x is undefined"]


@pytest.mark.parametrize(
    "said",
    [
        "Prends le port 5433 = celui de staging",
        "fix(booking): the slot is lost",
        "DREAM_HOME=~/x, c'est ce qu'on utilise",
        "if it fails, retry once (with a delay)",
        "from now on use tabs; never spaces",
        "import order: stdlib first",
        "Error: the port is taken, so use 5434",
        "Il faut lancer `pnpm test` (pas npm)",
        "at least 3 reviewers",
        "at the meeting (10:30)",
        "> 90 % de couverture",
        "npm error on CI since Tuesday",
        "INFO: le serveur redémarre la nuit",
        "--- autre sujet ---",
        "$ 5 per month",
        '"Décision" : on garde SQLite',
        "<3 merci",
        "return to the old port 5433",
        "package manager: pnpm",
        "index the bookings table on starts_at",
    ],
)
def test_one_line_that_only_looks_like_code_is_prose(said: str) -> None:
    assert split(f"Bonjour.\n{said}\nMerci.") == ["Bonjour.", said, "Merci."]


@pytest.mark.parametrize(
    "lines",
    [
        ["le port 5433 ;", "le cache de 90 s ;", "la file d'attente ;"],
        ["-SQLite pour les notes", "-LanceDB pour les vecteurs", "-Redis si l'on veut"],
        ["port = 5433", "zone = gra7", "cache = 90 s"],
        ["use pnpm", "use tabs", "use Vitest"],
        ["use tabs: always", "use pnpm (never npm)", "type names: CamelCase"],
        ["try pnpm first", "return early", "let me know"],
        ["一" * 300],
        ["staging : 5433", "preprod : 5434", "prod : 5432"],
    ],
)
def test_lists_that_people_type_are_prose_however_many_lines_they_have(lines: list[str]) -> None:
    assert split("\n".join(lines)) == lines


VOCABULARY = "Le port. [redacted:github-token] 3.5 M. e.g. (oui « non » Et ! ? … fin, ok. 12. v4.2. :) ) «"
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), min_size=1, max_size=40)


@given(WORDS)
def test_no_word_of_prose_is_lost_doubled_or_moved(words: list[str]) -> None:
    kept = [word for sentence in split("Bon " + " ".join(words)) for word in sentence.split()]
    given_words = ["Bon", *words]
    assert [word for word in kept if any(map(str.isalnum, word))] == [
        word for word in given_words if any(map(str.isalnum, word))
    ]


@given(WORDS)
def test_a_tag_is_never_split(words: list[str]) -> None:
    text = " ".join(words).replace("[redacted:github-token]", "[redacted:github-token#a1b2].")
    assert sum(sentence.count("[redacted:github-token#a1b2]") for sentence in split("Bon " + text)) == text.count(
        "[redacted:github-token#a1b2]"
    )


@given(st.text(max_size=300))
def test_any_text_can_be_split_and_split_again(text: str) -> None:
    for sentence in split(text):
        assert sentence == sentence.strip()
        assert "\n" not in sentence
        assert 0 < len(sentence) <= LONGEST


@given(st.text(max_size=300))
def test_plain_text_is_plain_once_for_all(text: str) -> None:
    once = plain(text)
    assert plain(once).count("**") <= once.count("**")
    assert "\x1b[" not in once
    assert "\r" not in once


def test_a_sentence_without_end_is_cut_at_white_space() -> None:
    parts = split("mot " * 1_000)
    assert "".join(parts).count("mot") == 1_000
    assert all(len(part) <= LONGEST for part in parts)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a. " * 70_000,
            "(" * 200_000,
            "... " * 50_000,
            "« a. " * 40_000,
            "[x " * 60_000,
            "**a" * 60_000,
            "<a " * 60_000,
        ),
        *("e.g. " * 40_000, "{};\n" * 50_000, "a,\n" * 60_000, "\x1b[" * 90_000, "M. " * 60_000, '"a' * 90_000),
    ],
)
def test_hostile_text_takes_time_in_step_with_its_length(text: str) -> None:
    start = time.process_time()
    split(text)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "on garde Ferro pour les émaux Tu relances les tests ?",
            ["on garde Ferro pour les émaux", "Tu relances les tests ?"],
        ),
        ("the cap is 14 seats Now where was the grid", ["the cap is 14 seats", "Now where was the grid"]),
        ("la règle tient toujours Repasse le lint aussi", ["la règle tient toujours", "Repasse le lint aussi"]),
        ("as agreed, Ferro Sort the fixtures too", ["as agreed, Ferro Sort the fixtures too"]),
        ("we use Sketch for the mockups", ["we use Sketch for the mockups"]),
        ("we use Schedule-X for the calendar", ["we use Schedule-X for the calendar"]),
        ("she read The Old Kiln and liked it", ["she read The Old Kiln and liked it"]),
        ("ask Will about the kiln", ["ask Will about the kiln"]),
        ("the minutes are kept in Outline these days", ["the minutes are kept in Outline these days"]),
    ],
)
def test_a_request_that_opens_without_a_stop_before_it_is_a_sentence(text: str, parts: list[str]) -> None:
    assert split(text) == parts

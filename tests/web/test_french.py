"""A French page says nothing of ours in English: reasons, faults, advice, hints and errors included."""

from __future__ import annotations

import ast
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dream.compose import open_dream
from dream.web.phrases import told
from dream.web.watch import Watch
from dream.web.words import table
from tests.web.conftest import Browser

DREAM = Path(__file__).resolve().parents[2] / "dream"
SPEAKING = """debate/roles.py cycle/under_mode.py model/mode.py model/debate.py health/host.py health/breaker.py
    web/views_care.py web/views_days.py web/views_memory.py web/pages.py ledger/lock.py recall/search.py""".split()
"""Modules whose sentences a page quotes, each of them whole in one literal."""
ENGLISH = re.compile(
    r"\b(the|is|was|not|it|and|of|with|for|you|what|that|has|have|are|been|its|nothing|there|by)\b", re.I
)


class Words(HTMLParser):
    """What a page says: text, and the attributes that are read out; code, receipts and quoted words aside."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._quiet += tag in {"code", "pre"}
        self.said += [str(value) for name, value in attrs if name in {"title", "aria-label", "placeholder", "alt"}]

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in {"code", "pre"}

    def handle_data(self, data: str) -> None:
        if not self._quiet:
            self.said.append(data)


def ours(page: str, quoted: list[str]) -> str:
    reader = Words()
    reader.feed(page)
    text = " ".join(" ".join(reader.said).split())
    for each in quoted:
        text = text.replace(each, "…")
    return re.sub(r"(?<!\w)/\S+", "…", text)  # paths are the machine's


def english(text: str) -> list[str]:
    """Each English word with what stands around it."""
    return [text[max(0, found.start() - 60) : found.end() + 60] for found in ENGLISH.finditer(text)]


@pytest.fixture
def quoted(site: Watch) -> list[str]:
    """Every sentence that people wrote, the longest first."""
    with open_dream(site._environ) as dream:
        texts = {note.text for night in dream.nights() for entry in dream.diff(night.night)
                 for note in getattr(entry.change, "notes", ()) if hasattr(note, "text")}  # fmt: skip
        texts |= {hold.proposal.text for hold in dream.holds()}
        texts |= {node["text"] for node in json.loads(browser_of(site)("/graph.json?most=400")[1])["nodes"]}
    texts |= {text[:60] for text in texts}  # as titles have them
    return sorted((" ".join(text.split()) for text in texts), key=len, reverse=True)


def browser_of(site: Watch) -> Browser:
    assert site.listener is not None
    browser = Browser(site.listener.port)
    browser(f"/?token={site.token}")
    return browser


def test_no_page_of_a_played_store_says_anything_of_ours_in_english(
    site: Watch, browse: Browser, quoted: list[str]
) -> None:
    nodes = [node["id"] for node in json.loads(browse("/graph.json?most=400")[1])["nodes"]]
    nights = re.findall(r"/night/([\d.-]+)", browse("/nights")[1])
    hold = re.findall(r"/hold/(h-[0-9a-f]+)", browse("/holds")[1])[0]
    paths = ["/", "/nights", "/holds", f"/hold/{hold}", "/search?q=serveur", "/graph", "/garden", "/ledger"]
    paths += [f"/night/{night}" for night in nights] + [f"/night/{night}/undo" for night in nights]
    paths += [f"/node/{node}" for node in nodes[:4]] + [f"/forget/{nodes[0]}"]
    wrong = ["/nothing", "/node/f-0", "/node/n-0", "/night/1999-01-01", "/hold/h-0", "/search?q=x&as_of=someday",
             "/search?q=x&as_of=2026-13", "/graph.json?most=many", "/garden?x"]  # fmt: skip
    found = {
        path: heard
        for path in [*paths, *wrong]
        if (heard := english(ours(browse(path, Accept_Language="fr")[1], quoted)))
    }
    assert not found


def test_what_a_form_answers_is_french_too(site: Watch, browse: Browser, quoted: list[str]) -> None:
    node = json.loads(browse("/graph.json")[1])["nodes"][0]["id"]
    form = browse.token("/")
    asked = [
        ("/mode", {"mode": "PANIC", "hours": "2"}), ("/mode", {"mode": "NORMAL", "hours": "soon"}),
        ("/mode", {"mode": "NORMAL", "hours": "-1"}), ("/hold/h-0", {"decision": "maybe"}),
        ("/hold/h-0", {"decision": "accept"}), (f"/forget/{node}", {}), ("/ledger", {"full": "1"}),
        ("/night/2026-09-08/undo", {}),
        ("/mode", {"mode": "CONSERVATIVE", "hours": "2"}), (f"/node/{node}/pin", {"pinned": "1"}),
        ("/mode", {"mode": "AUTO"}),
    ]  # fmt: skip
    for path, words in asked:
        page = browse(path, {**words, "form": form}, Accept_Language="fr")[1]
        assert not english(ours(page, quoted)), path


def sentences(path: Path) -> set[str]:
    """The literals of a module that read as a sentence, with `X` for what changes in them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aside = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    aside |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = set()
    for node in ast.walk(tree):
        if id(node) in aside:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)  # type: ignore[misc]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if len(text.split()) >= 3 and "=" not in text:
            found.add(text)
    return found


@pytest.mark.parametrize("name", SPEAKING)
def test_every_sentence_a_module_makes_has_french_words(name: str) -> None:
    missing = {each for each in sentences(DREAM / name) if told(each, "fr") == each}
    assert not missing


def test_a_form_and_its_words_name_the_same_holes() -> None:
    rows = table("phrases_fr.tsv")
    assert len(rows) > 150
    for form, words in rows.items():
        assert set(re.findall(r"\{\w+\*?\}", words)) <= set(re.findall(r"\{\w+\*?\}", form)), form
        filled = re.sub(r"\{\w+\*?\}", "7", form)
        assert told(filled, "fr") != filled, form


def test_figures_stand_in_their_places_and_what_people_said_is_left_alone() -> None:
    assert told("it has 12 tokens", "fr") == "12 jetons"
    assert told("it has 12 tokens", "en") == "it has 12 tokens"
    assert told("it denies what is held: it has 3 tokens", "fr") == "cela nie ce qui est gardé : it has 3 tokens"
    both = told("mean vitality is 0.30, under 0.4; searches take 900 ms (p95), over 500", "fr")
    assert both == "la vitalité moyenne est de 0.30, sous 0.4 ; les recherches prennent 900 ms (p95), plus de 500"
    assert told("Der Server antwortet nicht.", "fr") == "Der Server antwortet nicht."
    for a_model_s in ("note: it is a thing, still in use", "the file of node 7 was read", "at noon, still in the shop"):
        assert told(a_model_s, "fr") == a_model_s


RARE = (
    "The night waits for gemma4:12b (1 of 3 nights): Ollama does not answer at http://127.0.0.1:11434. Nothing was "
    "read, the buffer is kept.",
    "NodeRevised refused: node f-1 has changed since it was read.",
    "EdgeAdded refused: edge e-1 would hang: node f-2 is not there.",
    "The disk of /somewhere is full: 12 KB are free.",
    "pgt.sqlite was written by a newer version of Dream (schema 3; this one knows 1).",
    "pgt.sqlite knows entries 4 to 9, which the log has lost.",
    "A store has seen 12 entries, the log holds 9: the log was cut or put back.",
    "pgt.sqlite, node f-1 (entry 3): differs from what the log says.",
    "DREAM_TZ is Mars, which is not the name of a time zone such as Europe/Paris, or nothing for the machine's own.",
    "000001.jsonl is in format 9; this version of Dream reads format 1.",
    "12 of 40 current nodes would be closed in one night.",
)
"""Sentences that a page shows on a bad day, as the modules that make them say them."""


@pytest.mark.parametrize("sentence", RARE)
def test_a_rare_sentence_is_french_to_its_end(sentence: str) -> None:
    assert not english(told(sentence, "fr").replace("Mars", "…"))


def test_a_receipt_stays_as_it_was_signed_and_is_told_beside_it_in_french(browse: Browser) -> None:
    node = json.loads(browse("/graph.json")[1])["nodes"][0]["id"]
    sent = {"sure": "1", "form": browse.token(f"/forget/{node}")}
    page = browse(f"/forget/{node}", sent, Accept_Language="fr")[1]
    signed = page.partition('<pre class="receipt" tabindex="0">')[2].partition("</pre>")[0]
    assert f"asked {node}" in signed and f"node {node}" in signed and "— dream" in signed
    beside = page.partition("Ce qu&#39;il dit")[2]
    assert f"Demandé : {node}" in beside and f"Nœud oublié : {node}" in beside and "retirés de" in beside
    assert not english(ours(page, [])) and beside.count("<li>") == len(signed.partition("\n\n")[0].splitlines())


def test_who_is_not_let_in_is_told_so_in_french(site: Watch, browse: Browser) -> None:
    assert site.listener is not None
    stranger = Browser(site.listener.port)
    told_so = [stranger(path, Accept_Language="fr")[1] for path in ("/", "/?token=guess", "/static/none.css")]
    told_so.append(browse("/mode", {"mode": "AUTO"}, Accept_Language="fr")[1])
    told_so.append(stranger("/", Host="evil.example")[1].partition("\n")[2])
    assert all(told_so) and not any(english(each) for each in told_so), told_so

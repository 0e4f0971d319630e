"""Every page: what it shows, who may see it, what a form may do, in two languages."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dream.web.watch import Watch
from dream.web.words import ENGLISH, FRENCH, language
from tests.surfaces.line import Line
from tests.web.conftest import Browser

WEB = Path(__file__).resolve().parents[2] / "dream" / "web"
PAGES = [
    "/",
    "/nights",
    "/night/2026-09-10",
    "/night/2026-09-19/undo",
    "/holds",
    "/search?q=serveur",
    "/graph",
    "/garden",
    "/ledger",
]


class Reader(HTMLParser):
    """Tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    reader = Reader()
    reader.feed(page)
    return reader.tags


def a_node(browse: Browser) -> Any:
    return json.loads(browse("/graph.json")[1])["nodes"][0]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("tongue", ["en", "fr"])
def test_a_page_is_whole_loads_nothing_from_elsewhere_and_holds_no_inline_code(
    browse: Browser, path: str, tongue: str
) -> None:
    status, page, headers = browse(path, Accept_Language=tongue)
    assert status == 200
    found = tags(page)
    assert (("html", {"lang": tongue})) in found
    assert sum(tag == "h1" for tag, _ in found) == 1
    for tag, attributes in found:
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "/").startswith(("/", "#")), f"{tag} leads to {attributes[name]}"
        assert not {"style", "onclick", "onload"} & attributes.keys(), "inline code or style"
        assert tag != "style" and (tag != "script" or attributes.get("src"))
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "no-store" and headers["X-Content-Type-Options"] == "nosniff"


def test_without_the_token_nothing_is_shown_and_a_wrong_one_is_refused(site: Watch) -> None:
    assert site.listener is not None
    stranger = Browser(site.listener.port)
    for path in (*PAGES, "/graph.json"):
        status, page, _ = stranger(path)
        assert status == 401 and "dream web" in page
    assert stranger("/?token=guess")[0] == 403
    status, _, headers = stranger(f"/?token={site.token}")
    assert status == 303 and headers["Location"] == "/"
    assert "HttpOnly" in headers["Set-Cookie"] and "SameSite=Strict" in headers["Set-Cookie"]


def test_a_form_without_its_token_or_from_another_site_does_nothing(browse: Browser) -> None:
    before = browse("/holds")[1]
    hold = re.findall(r"/hold/(h-[0-9a-f]+)", before)[0]
    assert browse(f"/hold/{hold}", {"decision": "accept"})[0] == 403
    assert browse(f"/hold/{hold}", {"decision": "accept", "form": "0" * 64})[0] == 403
    form = browse.token(f"/hold/{hold}")
    sent = {"decision": "accept", "form": form}
    assert browse(f"/hold/{hold}", sent, Origin="https://evil.example")[0] == 403
    assert browse(f"/hold/{hold}", sent, Host="evil.example")[0] == 403
    assert browse(f"/hold/{hold}", sent, Sec_Fetch_Site="cross-site")[0] == 403
    assert browse(f"/hold/{hold}?decision=accept")[0] == 200  # a GET only looks
    assert browse("/holds")[1] == before


def test_a_hold_is_shown_with_its_evidence_and_decided(browse: Browser) -> None:
    for hold in dict.fromkeys(re.findall(r"/hold/(h-[0-9a-f]+)", browse("/holds")[1])):
        page = browse(f"/hold/{hold}")[1]
        assert page.count('<th scope="row">') == 4  # the four ballots
        assert "<blockquote>" in page
        status, _, headers = browse(f"/hold/{hold}", {"decision": "accept", "form": browse.token(f"/hold/{hold}")})
        assert status == 303 and headers["Location"].startswith("/node/f-")
        assert browse(headers["Location"])[0] == 200
    assert "Nothing waits for you" in browse("/holds")[1]


def test_a_night_shows_what_came_in_what_became_of_it_and_four_votes(browse: Browser) -> None:
    page = browse("/night/2026-09-10")[1]
    for words in ("Kept", "The votes", "What came in", "archivist", "sceptic", "optimiser", "domain expert"):
        assert words in page, words
    assert page.count('<th scope="row">') % 4 == 0


def agreed(page: str) -> dict[str, str]:
    """What the form of an undo sends."""
    return {str(each["name"]): str(each["value"]) for tag, each in tags(page) if tag == "input" and "name" in each}


def test_a_night_is_taken_back_after_showing_what_that_changes(browse: Browser) -> None:
    plan = browse("/night/2026-09-19/undo")[1]
    assert "changes would be written" in plan
    status, _, headers = browse("/night/2026-09-19/undo", agreed(plan))
    assert (status, headers["Location"]) == (303, "/night/2026-09-19")
    assert "was taken back" in browse("/night/2026-09-19")[1]
    assert "undone" in browse("/nights")[1]


def test_a_night_on_which_others_built_says_what_goes_with_it_and_does_that_or_nothing(browse: Browser) -> None:
    first = re.findall(r"/night/([\d.-]+)", browse("/nights")[1])[-1]
    alone = browse(f"/night/{first}/undo")[1]
    assert "built on it" in alone and f"/night/{first}/undo?cascade=1" in alone
    plan = browse(f"/night/{first}/undo?cascade=1")[1]
    assert "What goes with it" in plan and "A part of the night" in plan and "the rest of it stays" in plan
    held = agreed(plan)
    for altered in ({"plan": ""}, {"plan": "0" * 64}, {"plan": "x" * 9000}):
        status, page, _ = browse(f"/night/{first}/undo", held | altered)
        assert status in {400, 409} and "was taken back" not in browse(f"/night/{first}")[1]
    node = a_node(browse)
    assert browse(f"/node/{node['id']}/pin", {"form": held["form"], "pinned": "1"})[0] == 303
    changed, page, _ = browse(f"/night/{first}/undo", held)
    assert (changed, "not what was shown" in page) in {(409, True), (303, False)}
    if changed == 409:
        assert browse(f"/night/{first}/undo", agreed(browse(f"/night/{first}/undo?cascade=1")[1]))[0] == 303
    assert "was taken back" in browse(f"/night/{first}")[1]


def test_a_search_shows_the_four_signals_and_answers_as_of_a_date(browse: Browser) -> None:
    page = browse("/search?q=serveur")[1]
    for signal in ("words", "meaning", "neighbours", "rereading"):
        assert f"<dt>{signal}</dt>" in page
    assert browse("/search?q=serveur&as_of=2026-09-08")[0] == 200
    assert browse("/search?q=serveur&as_of=someday")[0] == 400
    assert "/node/" not in browse("/search?q=serveur&as_of=2020-01")[1].split("<main")[1].split("</main")[0]


def test_a_node_shows_its_life_its_sources_and_its_history(browse: Browser) -> None:
    node = a_node(browse)
    page = browse(f"/node/{node['id']}")[1]
    for words in ("Vitality", "<polyline", "What it stands on", "<blockquote>", "History", "Night"):
        assert words in page
    assert browse(f"/node/{node['id']}/pin", {"pinned": "1", "form": browse.token(f"/node/{node['id']}")})[0] == 303
    assert "pinned" in browse(f"/node/{node['id']}")[1]


def test_the_graph_is_filtered_by_kind_tier_project_and_time(browse: Browser) -> None:
    def drawn(query: str) -> list[dict[str, Any]]:
        return list(json.loads(browse(f"/graph.json?{query}")[1])["nodes"])

    everything = drawn("")
    kind = everything[0]["kind"]
    assert {node["kind"] for node in drawn(f"kind={kind}")} == {kind}
    assert {node["tier"] for node in drawn("tier=active")} <= {"active"}
    assert {node["project"] for node in drawn(f"project={everything[0]['project']}")} == {everything[0]["project"]}
    assert drawn("as_of=2026-09-08") and len(drawn("as_of=2020")) == 0
    assert len(drawn("most=3")) == 3
    near = drawn(f"near={everything[0]['id']}")
    assert near[0]["id"] == everything[0]["id"]
    assert browse("/graph.json?as_of=never")[0] == 400


def test_the_ledger_is_checked_on_demand(browse: Browser) -> None:
    for words in ({}, {"full": "1"}):
        page = browse("/ledger", {**words, "form": browse.token("/ledger")})[1]
        assert "All holds" in page and "root" in page


def test_forgetting_asks_first_gives_a_receipt_and_leaves_nothing_to_find(browse: Browser) -> None:
    node = a_node(browse)
    plan = browse(f"/forget/{node['id']}")[1]
    assert "cannot be undone" in plan
    form = browse.token(f"/forget/{node['id']}")
    assert browse(f"/forget/{node['id']}", {"form": form})[0] == 400
    status, page, _ = browse(f"/forget/{node['id']}", {"form": form, "sure": "1"})
    assert status == 200 and 'class="receipt"' in page
    assert browse(f"/node/{node['id']}")[0] == 404
    assert node["id"] not in browse("/graph.json")[1]
    for night in ("2026-09-08", "2026-09-09", "2026-09-10", "2026-09-12"):
        assert node["text"] not in browse(f"/night/{night}")[1], "the archive of votes forgets too"


def test_the_mode_is_pinned_and_given_back_and_forbids_what_it_forbids(browse: Browser) -> None:
    node = a_node(browse)
    form = browse.token("/")
    assert browse("/mode", {"mode": "CONSERVATIVE", "hours": "2", "why": "a test", "form": form})[0] == 303
    page = browse("/")[1]
    assert "CONSERVATIVE" in page and "a test" in page and "dream mode AUTO" in page
    assert browse(f"/node/{node['id']}/pin", {"pinned": "1", "form": form})[0] == 403
    assert browse("/mode", {"mode": "NORMAL", "hours": "soon", "form": form})[0] == 400
    assert browse("/mode", {"mode": "AUTO", "form": form})[0] == 303
    assert "Mode: NORMAL" in browse("/")[1]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nothing", 404), ("/node/f-000000000000000000000000", 404), ("/night/1999-01-01", 404), ("/hold/h-0", 404),
     ("/static/../site.py", 404), ("/static/..%2fsite.py", 404), ("/static/none.css", 404)],
)  # fmt: skip
def test_what_is_not_there_is_said_so(browse: Browser, path: str, status: int) -> None:
    found, page, _ = browse(path)
    assert found == status and "Traceback" not in page


def test_what_people_wrote_is_shown_as_text(site: Watch, browse: Browser) -> None:
    line = Line(Path(site._environ["DREAM_HOME"]).parent)
    done = line("remember", "La balise <script>alert(1)</script> reste du texte dans la page 42.", "--json")
    assert done.code == 0, done.err
    page = browse("/search?q=balise+page")[1]
    assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page


def test_a_language_is_chosen_kept_and_else_taken_from_the_browser(browse: Browser) -> None:
    assert "Aujourd'hui" in browse("/", Accept_Language="fr-CH, en;q=0.8")[1].replace("&#39;", "'")
    assert browse("/nights?lang=fr")[0] == 303
    assert "Nuits" in browse("/nights", Accept_Language="en")[1]
    assert language("", "de, fr;q=0.7, en;q=0.3") == "fr"
    assert language("", "nonsense;q=x") == "en"
    assert language("en", "fr") == "en"


def test_every_sentence_of_the_templates_has_french_words() -> None:
    for path in sorted((WEB / "templates").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        for double, single in re.findall(r"""\bt\((?:"([^"]+)"|'([^']+)')[,)]""", text):
            assert (double or single) in FRENCH, f"{path.name}: {double or single}"
    assert ENGLISH.keys() <= FRENCH.keys()
    for key, words in FRENCH.items():
        assert sorted(re.findall(r"\{\w+\}", key)) == sorted(re.findall(r"\{\w+\}", words)), key


def test_a_page_without_a_store_says_how_to_make_one(tmp_path: Path) -> None:
    from tests.web.conftest import served

    watch = served(tmp_path)
    assert watch.listener is not None
    browser = Browser(watch.listener.port)
    browser(f"/?token={watch.token}")
    status, page, _ = browser("/")
    assert status != 200 and "dream init" in page
    watch.close()


def test_every_kind_of_change_has_words_for_a_person() -> None:
    from typing import get_args

    from dream.model.change import Change

    for kind in get_args(Change):
        assert kind.__name__ in ENGLISH and kind.__name__ in FRENCH


def test_a_fault_of_our_own_is_a_sentence_in_both_languages_and_told_on_standard_error(
    capfd: pytest.CaptureFixture[str],
) -> None:
    from dream.web.listen import listen

    def faulty(environ: Any, start: Any) -> list[bytes]:
        raise ValueError("a fault of our own")

    listener = listen(0, faulty)
    assert listener is not None
    status, page, _ = Browser(listener.port)("/")
    listener.close()
    assert status == 500 and "Dream met a fault" in page and "Dream a rencontré" in page
    assert "a fault of our own" not in page and "a fault of our own" in capfd.readouterr().err

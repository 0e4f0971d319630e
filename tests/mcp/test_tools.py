"""The ten tools through the protocol, on a real store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dream.compose import open_dream
from dream.mcp.answers import LARGEST, cut, fitting, size
from dream.mcp.tools import TOOLS
from dream.ports import Answer, Question

Ask = Callable[..., Any]
TEN = {
    "store_event", "search_semantic", "query_relations", "update_vitality", "propose_counterfactual",
    "sanitize_local", "load_context", "health_check", "set_mode", "verify_counterfactual",
}  # fmt: skip


def test_there_are_exactly_the_ten_tools_each_with_title_hints_and_documented_arguments(with_client: Ask) -> None:
    async def listed(client: Any) -> Any:
        return await client.list_tools()

    tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in with_client(listed)]
    assert {tool["name"] for tool in tools} == TEN == TOOLS.keys()
    for tool in tools:
        assert tool["title"] and len(tool["description"]) > 40, tool["name"]
        assert {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} <= tool["annotations"].keys()
        assert tool["annotations"]["destructiveHint"] is False
        assert tool["outputSchema"]["properties"]
        for name, argument in tool["inputSchema"]["properties"].items():
            assert argument.get("description"), f"{tool['name']}.{name} is not explained"
    assert len(json.dumps(tools)) < 20_000, "what every session pays for once the tools are loaded"


def test_tools_that_only_read_say_so(with_client: Ask) -> None:
    async def listed(client: Any) -> Any:
        return await client.list_tools()

    reads = {tool.name for tool in with_client(listed) if tool.annotations.read_only_hint}
    assert reads == {"search_semantic", "query_relations", "load_context", "health_check", "sanitize_local"}


def test_what_was_stored_is_found_with_what_it_stands_on(ask: Ask) -> None:
    stored = ask("store_event", text="We decided to print labels through port 9100.", kind="decision")
    assert stored["new"] is True
    hits = ask("search_semantic", query="which port for labels?")["hits"]
    assert hits[0]["id"] == stored["id"] and hits[0]["status"] == "current"
    assert hits[0]["sources"][0]["origin"] == "user"


def test_f02_a_retry_with_the_same_id_stores_nothing_twice_and_another_text_is_a_conflict(
    ask: Ask, environ: dict[str, str]
) -> None:
    first = ask("store_event", text="The build server is called wolke.", id="11111111-2222-4333-8444-555555555555")
    with open_dream(environ) as dream:
        before = dream.ledger_size
    again = ask("store_event", text="The build server is called wolke.", id="11111111-2222-4333-8444-555555555555")
    assert (again["id"], again["new"]) == (first["id"], False)
    text, wrong = ask(
        "store_event", text="The build server is called donner.", id="11111111-2222-4333-8444-555555555555"
    )
    assert wrong and "used for another text" in text
    with open_dream(environ) as dream:
        assert dream.ledger_size == before
        assert dream.picture().tiers == {"active": 1}


def test_secrets_are_taken_out_before_anything_is_stored(ask: Ask, environ: dict[str, str]) -> None:
    secret = "gh" + "p_" + "aB3dE6gH9j" * 4
    stored = ask("store_event", text=f"The deploy token is {secret} for now.")
    assert secret not in stored["text"] and sum(stored["redacted"].values()) == 1
    assert secret not in json.dumps(ask("search_semantic", query="deploy token"))
    assert secret not in json.dumps(ask("search_semantic", query=f"deploy token {secret}"))
    places = [path for path in Path(environ["DREAM_HOME"]).parent.rglob("*") if path.is_file()]
    assert not [str(path) for path in places if secret.encode() in path.read_bytes()]


def test_an_error_is_one_sentence_with_a_hint_and_no_trace(ask: Ask) -> None:
    for name, arguments in (
        ("query_relations", {"id": "f-nothing"}),
        ("search_semantic", {"query": "  "}),
        ("search_semantic", {"query": "x", "k": 99}),
        ("search_semantic", {"query": "x", "as_of": "soon"}),
        ("store_event", {"text": "x" * 600}),
        ("update_vitality", {"id": "f-nothing", "pinned": True}),
        ("load_context", {"folder": "/", "budget": 1}),
    ):
        text, wrong = ask(name, **arguments)
        assert wrong and "Traceback" not in text and "\n" not in text and len(text) < 250, (name, text)


def test_without_a_store_every_tool_says_how_to_make_one(environ: dict[str, str], ask: Ask, tmp_path: Any) -> None:
    environ["DREAM_HOME"] = str(tmp_path / "elsewhere")
    text, wrong = ask("search_semantic", query="anything")
    assert wrong and "dream init" in text
    assert not (tmp_path / "elsewhere").exists()


def test_a_store_made_after_the_server_started_is_found(environ: dict[str, str], ask: Ask, tmp_path: Any) -> None:
    environ["DREAM_HOME"] = str(tmp_path / "later")
    assert ask("health_check")[1] is True
    with open_dream(environ, create=True):
        pass
    assert ask("health_check")["entries"] == 0


def test_what_another_process_stores_is_seen_at_the_next_call(ask: Ask, environ: dict[str, str]) -> None:
    ask("store_event", text="The first office is in Lyon.")
    with open_dream(environ) as dream:
        dream.remember("The second office is in Nantes.")
    texts = [hit["text"] for hit in ask("search_semantic", query="office in Nantes")["hits"]]
    assert "The second office is in Nantes." in texts


def test_a_database_put_in_place_of_the_old_one_is_opened_anew(
    ask: Ask, environ: dict[str, str], tmp_path: Any
) -> None:
    ask("store_event", text="The first office is in Lyon.")
    for path in (tmp_path / "home").glob("pgt.sqlite*"):
        path.unlink()
    with open_dream(environ):
        pass  # rebuilds it from the ledger
    assert ask("search_semantic", query="office Lyon")["hits"]


def test_a_pinned_mode_refuses_writes_with_a_sentence_and_auto_lifts_it(ask: Ask) -> None:
    assert ask("set_mode", mode="CONSERVATEUR", why="moving house")["mode"] == "CONSERVATIVE"
    answer = ask("set_mode", mode="SECURISE")
    assert (answer["mode"], answer["level"], answer["pinned"]) == ("SECURE", 2, True)
    waiting = ask("store_event", text="The canteen is on the second floor.")
    assert waiting["new"] and "SECURE" in waiting["waits"]
    text, wrong = ask("update_vitality", id="f-" + "0" * 24, pinned=True)
    assert wrong and "SECURE" in text
    assert ask("health_check")["mode"] == "SECURE"
    assert ask("set_mode", mode="AUTO")["mode"] == "NORMAL"
    assert ask("store_event", text="The office is in Lyon.")["new"] is True


def test_vitality_is_corrected_in_hundredths_and_a_repeat_changes_nothing(ask: Ask, environ: dict[str, str]) -> None:
    node = ask("store_event", text="The office is in Lyon.")["id"]
    plain = ask("update_vitality", id=node, adjust=0)["vitality"]
    once = ask("update_vitality", id=node, adjust=-30, pinned=True)
    with open_dream(environ) as dream:
        before = dream.ledger_size
    assert ask("update_vitality", id=node, adjust=-30, pinned=True) == once
    with open_dream(environ) as dream:
        assert dream.ledger_size == before
    assert once["vitality"] < plain and once["pinned"] is True


def test_the_garden_grows_from_an_error_and_tells_what_is_still_open(ask: Ask, environ: dict[str, str]) -> None:
    node = ask("store_event", text="Deploying on Friday broke the shop.", kind="error")["id"]
    grown = ask("propose_counterfactual", id=node)["branches"]
    assert {each["foretold"] for each in grown} == {"ceases", "recurs"}
    again = ask("verify_counterfactual", branch=grown[0]["id"])["branches"]
    assert again == [grown[0]] and again[0]["status"] == "growing"
    text, wrong = ask("propose_counterfactual", id=node)
    assert wrong and "has branches already" in text
    text, wrong = ask("verify_counterfactual", branch="b-1")
    assert wrong and "no branch" in text
    text = ask("search_semantic", query="had nothing been done about the shop")
    assert "Had nothing" not in str(text), "never recalled as fact"


def test_sanitize_says_what_it_took_out_and_that_no_model_read_it(ask: Ask) -> None:
    answer = ask("sanitize_local", text=f"Write to lea@{'mail'}.example please.", deep=True)
    assert "lea@" not in answer["text"] and answer["counts"] == {"email": 1}
    (why,) = answer["degraded"]
    assert why.startswith("model: ")
    assert ask("sanitize_local", text="Nothing.")["degraded"] == []


def test_sanitize_deep_takes_out_what_a_model_points_at(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pointing:
        name = "scripted"

        def prepare(self) -> str:
            return ""

        def complete(self, question: Question) -> Answer:
            return Answer(json.dumps({"spans": [{"quote": "4 impasse du Moulin", "kind": "address"}]}))

        def release(self) -> None:
            return None

    monkeypatch.setattr("dream.compose_reader.second_reader", lambda loaded: Pointing)
    text = f"Odile, 4 impasse du Moulin, lea@{'mail'}.example."
    answer = ask("sanitize_local", text=text, deep=True)
    assert "Moulin" not in answer["text"] and answer["counts"] == {"address": 1, "email": 1}
    assert answer["degraded"] == []
    assert "Moulin" in ask("sanitize_local", text=text)["text"]


def test_h20_a_denied_text_is_stored_by_no_tool(ask: Ask, environ: dict[str, str]) -> None:
    from dream.capture.deny import deny
    from dream.capture.home import redact_key

    deny(
        environ["DREAM_HOME"], "Odile est en cure", redact_key(environ["DREAM_HOME"]) or b"", "2026-11-30T21:00:00.000Z"
    )
    text, wrong = ask("store_event", text="Note : ODILE est « en cure » !")
    assert wrong and "not learnt again" in text


def test_context_is_fenced_as_data(ask: Ask, tmp_path: Any) -> None:
    ask("store_event", text="Always answer in French.", kind="preference")
    text = ask("load_context", folder=str(tmp_path))["text"]
    assert text.startswith("<dream-context>") and "not instructions" in text and "Always answer in French." in text


def test_a12_health_says_that_no_hook_was_seen_and_how_to_capture_without(ask: Ask) -> None:
    answer = ask("health_check")
    assert answer["seen"] == {} and answer["next_run"] == ""
    said = " ".join(answer["warnings"])
    assert "No hook has been seen" in said and "store_event" in said and "active" not in said
    assert "No timer is registered" in said


def test_a16_health_warns_of_an_early_clean_up_of_transcripts(ask: Ask, tmp_path: Any) -> None:
    settings = tmp_path / "claude" / "settings.json"
    settings.parent.mkdir()
    for days, warned in ((None, True), (30, True), (60, False), (365, False)):
        settings.write_text(json.dumps({} if days is None else {"cleanupPeriodDays": days}), encoding="utf-8")
        assert any("cleanupPeriodDays" in each for each in ask("health_check")["warnings"]) is warned, days


def test_answers_stay_within_the_hosts_limit() -> None:
    kept, left_out = fitting([{"text": "é" * 1_000}] * 100)
    assert left_out == 100 - len(kept) > 0 and size(kept) <= LARGEST
    text, lost = cut('"' * 60_000, LARGEST)
    assert size(text) <= LARGEST and lost == 60_000 - len(text)


def test_a_search_with_long_sources_is_cut_and_says_so(ask: Ask, environ: dict[str, str]) -> None:
    with open_dream(environ) as dream:
        for number in range(25):
            dream.remember(f"Printer number {number} has the label " + " ".join(f"w{number}x{i}" for i in range(60)))
    answer = ask("search_semantic", query="printer label", k=25)
    assert len(json.dumps(answer, ensure_ascii=False)) <= LARGEST + 500
    assert len(answer["hits"]) + answer["left_out"] <= 25

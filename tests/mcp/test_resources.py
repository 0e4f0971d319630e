"""`dream://` resources through the protocol."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from dream.compose import open_dream


def read(with_client: Callable[..., Any], uri: str) -> Any:
    async def one(client: Any) -> Any:
        return (await client.read_resource(uri))[0].text

    return with_client(one)


def test_the_resources_are_listed(with_client: Callable[..., Any]) -> None:
    async def both(client: Any) -> Any:
        fixed, shaped = await client.list_resources(), await client.list_resource_templates()
        return {str(each.uri) for each in fixed} | {each.uri_template for each in shaped}

    assert with_client(both) == {"dream://index", "dream://nights", "dream://night/{id}", "dream://node/{id}"}


def test_a_node_is_told_with_its_notes_and_history(environ: dict[str, str], with_client: Callable[..., Any]) -> None:
    with open_dream(environ) as dream:
        kept = dream.remember("The office is in Lyon.")
        dream.pin(kept.node.id)
    told = json.loads(read(with_client, f"dream://node/{kept.node.id}"))
    assert told["node"]["text"] == "The office is in Lyon." and told["notes"][0]["origin"] == "user"
    assert [each["change"] for each in told["history"]] == ["NodeAdded", "NodeRevised"]
    note = json.loads(read(with_client, f"dream://node/{told['notes'][0]['id']}"))
    assert note["node"] is None and note["standing_on_it"][0]["id"] == kept.node.id


def test_nights_and_index_after_a_night(environ: dict[str, str], with_client: Callable[..., Any]) -> None:
    with open_dream(environ) as dream:
        dream.remember("Always answer in French.", "preference")
        dream.cycle(trigger="forced")
    nights = json.loads(read(with_client, "dream://nights"))["nights"]
    assert len(nights) == 1
    assert "Always answer in French." in read(with_client, "dream://index")
    assert nights[0]["night"] in read(with_client, f"dream://night/{nights[0]['night']}")


def test_what_is_not_there_is_said_in_a_sentence(with_client: Callable[..., Any]) -> None:
    for uri in ("dream://node/f-nothing", "dream://night/2020-01-01"):
        with pytest.raises(Exception, match=r"There is no .*\.") as raised:
            read(with_client, uri)
        assert "Traceback" not in str(raised.value)

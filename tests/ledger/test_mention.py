"""Entries that name an id are those, and all of those, that reading the whole log finds."""

from __future__ import annotations

from pathlib import Path

from dream.compose import open_house
from dream.ledger.mention import mentioning
from dream.settings import load


def test_what_names_an_id_is_found_and_nothing_else(tmp_path: Path) -> None:
    made = {"DREAM_HOME": str(tmp_path / "home"), "DREAM_STATE": str(tmp_path / "state"), "DREAM_TZ": "UTC"}
    made |= {"DREAM_TRANSCRIPTS": str(tmp_path), "HOME": str(tmp_path)}
    from dream.api import Dream

    with open_house(load(made), create=True) as house:
        dream = Dream(house)
        kept = [dream.remember(f"Le serveur {name} écoute sur le port {port}.").node for name, port in
                (("tournesol", 8080), ("bleuet", 8081), ("coquelicot", 8082))]  # fmt: skip
        dream.pin(kept[1].id)
        whole = list(house.ledger.entries())
        for node in kept:
            found = list(mentioning(house.home.ledger, house.ledger.log_id, node.id))
            assert found == [entry for entry in whole if node.id in repr(entry)]
        notes = [entry for entry in whole if kept[0].notes[0] in repr(entry)]
        assert list(mentioning(house.home.ledger, house.ledger.log_id, kept[0].notes[0])) == notes
        assert list(mentioning(house.home.ledger, house.ledger.log_id, "f-none")) == []
        assert list(mentioning(house.home.ledger, house.ledger.log_id, "dream-ledger")) == []
        with (house.home.ledger / "000001.jsonl").open("ab") as torn:
            torn.write(b'{"seq":999,"change":"' + kept[0].id.encode())
        assert len(list(mentioning(house.home.ledger, house.ledger.log_id, kept[0].id))) == len(
            [entry for entry in whole if kept[0].id in repr(entry)]
        )

"""The tree against the published vectors of RFC 6962 and against its own definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dream.ledger import merkle

LEAVES = [bytes.fromhex(each) for each in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")]  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""Roots over the first 1 to 8 leaves, the vectors of the reference implementation of RFC 6962."""

HASHES = [merkle.leaf_hash(leaf) for leaf in LEAVES]


def test_the_roots_are_those_of_the_rfcs_vectors() -> None:
    assert merkle.root([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for size, expected in enumerate(ROOTS, 1):
        assert merkle.root(HASHES[:size]).hex() == expected


@pytest.mark.parametrize(
    ("size", "index", "path"),
    [
        (1, 0, []),
        (8, 0, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
        (8, 5, ["bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
        (3, 2, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    ],
)  # fmt: skip
def test_inclusion_paths_are_those_of_the_rfcs_vectors(size: int, index: int, path: list[str]) -> None:
    assert [each.hex() for each in merkle.inclusion_proof(HASHES[:size], index)] == path


@pytest.mark.parametrize(
    ("older", "newer", "path"),
    [
        (1, 1, []),
        (1, 8, ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
        (6, 8, ["0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
        (2, 5, ["5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
    ],
)  # fmt: skip
def test_consistency_paths_are_those_of_the_rfcs_vectors(older: int, newer: int, path: list[str]) -> None:
    assert [each.hex() for each in merkle.consistency_proof(HASHES[:newer], older)] == path


@given(some.integers(1, 70), some.data())
def test_every_proof_holds_and_no_other(size: int, data: some.DataObject) -> None:
    leaves = [merkle.leaf_hash(bytes([number])) for number in range(size)]
    root = merkle.root(leaves)
    index = data.draw(some.integers(0, size - 1))
    path = merkle.inclusion_proof(leaves, index)
    assert merkle.root_from_inclusion(leaves[index], index, size, path) == root
    assert merkle.root_from_inclusion(leaves[index], index, size, [*path, root]) != root
    other = data.draw(some.integers(0, size - 1))
    if other != index:
        assert merkle.root_from_inclusion(leaves[index], other, size, path) != root
    older = data.draw(some.integers(1, size))
    steps = merkle.consistency_proof(leaves, older)
    assert merkle.consistent(older, size, merkle.root(leaves[:older]), root, steps)
    assert not merkle.consistent(older, size, merkle.leaf_hash(b"x"), root, steps)
    assert not merkle.consistent(older, size, merkle.root(leaves[:older]), root, [*steps, root])


@given(some.lists(some.binary(max_size=4), max_size=40), some.integers(0, 40))
def test_appending_in_pieces_gives_the_same_tree(leaves: list[bytes], cut: int) -> None:
    hashes = [merkle.leaf_hash(each) for each in leaves]
    edge, size = merkle.extend((), 0, hashes[:cut])
    edge, size = merkle.extend(edge, size, hashes[cut:])
    assert (size, merkle.root_of(edge)) == (len(leaves), merkle.root(hashes))
    assert len(edge) == size.bit_count()

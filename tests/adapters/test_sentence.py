"""The adapters of sentence-transformers, on tiny random models saved by the tests: a real load path, no meaning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.adapters import sentence
from dream.adapters.sentence import SentenceEmbedder, SentenceReranker, installed, there
from dream.errors import ModelUnavailable

pytestmark = pytest.mark.skipif(
    not installed(), reason="sentence-transformers is not installed (requirements.txt, with torch)"
)
QUERY, TEXTS = "a question", ["one text", "another that is longer", "", "a question"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    from tiny_models import tiny_embedder, tiny_reranker

    folder = tmp_path_factory.mktemp("models")
    tiny_embedder(folder / "small", 16)
    tiny_embedder(folder / "big", 40)
    tiny_reranker(folder / "reranker")
    tiny_reranker(folder / "classes", 3)
    yield folder


def test_the_size_is_the_models_own(models: Path) -> None:
    assert SentenceEmbedder(models / "small").dimension == 16
    assert SentenceEmbedder(models / "big").dimension == 40


def test_a_reranker_gives_the_logistic_of_each_pairs_logit(models: Path) -> None:
    import math

    import sentence_transformers

    scores = SentenceReranker(models / "reranker").scores(QUERY, TEXTS)
    raw = sentence_transformers.CrossEncoder(str(models / "reranker"), device="cpu", local_files_only=True)
    logits = raw.predict([(QUERY, text) for text in TEXTS], activation_fn=lambda each: each)
    assert scores == pytest.approx([1 / (1 + math.exp(-float(each))) for each in logits], abs=1e-6)
    assert len(set(scores)) > 1 and all(0.0 < score < 1.0 for score in scores)
    assert SentenceReranker(models / "reranker").scores(QUERY, []) == []


def test_a_classifier_of_several_classes_is_no_reranker(models: Path) -> None:
    with pytest.raises(ModelUnavailable, match="one score"):
        SentenceReranker(models / "classes").scores(QUERY, TEXTS)


def test_weights_that_cannot_be_read_are_told_in_a_sentence(models: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (broken / name).write_bytes((models / "reranker" / name).read_bytes())
    (broken / "model.safetensors").write_bytes(b"\0" * 64)
    assert there(broken)
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        SentenceReranker(broken).scores(QUERY, TEXTS)


ASKS = """
import json, os, socket, sys
asked = []
plain = socket.socket.connect
def watched(self, address):
    asked.append(str(address))
    raise OSError("no network in this test")
socket.socket.connect = watched
from pathlib import Path
from dream.adapters.sentence import SentenceEmbedder
before = [name for name in sys.modules if name.split(".")[0] in ("torch", "sentence_transformers", "huggingface_hub")]
size = SentenceEmbedder(Path(sys.argv[1])).dimension
print(json.dumps([before, size, asked, os.environ["HF_HUB_OFFLINE"], os.environ["TRANSFORMERS_OFFLINE"]]))
"""


def test_loading_a_folder_asks_no_network_and_nothing_heavy_before_first_use(models: Path) -> None:
    """D12: what is loaded is on this disk; the libraries are told that they are offline."""
    bare = {key: value for key, value in os.environ.items() if key not in sentence.OFFLINE}
    done = subprocess.run(
        [sys.executable, "-c", ASKS, str(models / "small")], env=bare, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == [[], 16, [], "1", "1"]
    assert done.stderr == ""


def test_a_fetch_without_a_network_says_so_and_leaves_what_was_there(tmp_path: Path) -> None:
    program = """
import socket, sys
def refused(*_): raise OSError("no network in this test")
socket.socket.connect = refused
socket.getaddrinfo = refused
from pathlib import Path
from dream.adapters.sentence_fetch import fetch
from dream.errors import ModelUnavailable
try:
    fetch("BAAI/bge-m3", Path(sys.argv[1]) / "bge-m3")
except ModelUnavailable as error:
    print(error.sentence)
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert "BAAI/bge-m3 could not be fetched" in done.stdout
    assert not (tmp_path / "bge-m3").exists()

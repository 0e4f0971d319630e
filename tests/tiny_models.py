"""Models with a real load path and no meaning: tiny, random, saved to a folder by the test that wants one."""

from __future__ import annotations

from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz", *(f"##{c}" for c in "aeinorst")]


def _bert(size: int, labels: int = 1) -> object:
    import transformers

    return transformers.BertConfig(
        vocab_size=len(WORDS), hidden_size=size, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=64, num_labels=labels,
    )  # fmt: skip


def _words(folder: Path) -> object:
    import transformers

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    return transformers.BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=64)


def tiny_embedder(folder: Path, size: int) -> Path:
    """A sentence-transformers model of `size` dimensions."""
    import sentence_transformers
    import transformers
    from sentence_transformers import models

    bare = folder.with_name(f"{folder.name}-bare")
    transformers.set_seed(size)
    transformers.BertModel(_bert(size)).save_pretrained(bare)
    _words(bare).save_pretrained(bare)  # type: ignore[attr-defined]
    parts = [models.Transformer(str(bare), max_seq_length=64), models.Pooling(size)]
    sentence_transformers.SentenceTransformer(modules=parts, device="cpu").save(str(folder))
    return folder


def tiny_reranker(folder: Path, labels: int = 1) -> Path:
    """A cross-encoder."""
    import transformers

    transformers.set_seed(7)
    transformers.BertForSequenceClassification(_bert(16, labels)).save_pretrained(folder)
    _words(folder).save_pretrained(folder)  # type: ignore[attr-defined]
    return folder

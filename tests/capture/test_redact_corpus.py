"""The corpora beside the project: what a scanner is scored on, and the secrets planted in weeks of transcripts."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from dream.capture.redact import redact, spans


def test_the_secrets_corpus_is_covered_with_few_false_alarms(shared: Path) -> None:
    folder = shared / "corpora" / "secrets"
    sys.path.insert(0, str(folder))
    try:
        from score import score  # type: ignore[import-not-found]
    finally:
        sys.path.remove(str(folder))
    with gzip.open(folder / "dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        gold = [json.loads(line) for line in lines]
    figures = score(gold, [{"id": line["id"], "spans": spans(line["text"])} for line in gold])
    assert figures["recall_cover"] >= 0.97
    assert figures["precision"] >= 0.97
    assert figures["overreach"] <= 0.05
    assert figures["neg_fp"] <= 0.03


def test_no_planted_secret_of_the_transcripts_is_left(shared: Path) -> None:
    folder = shared / "corpora" / "consolidation" / "dev"
    secrets = {entry["value"] for entry in json.loads((folder / "gold.json").read_text("utf-8"))["secrets"]}
    removed = 0
    for transcript in sorted(folder.glob("*.jsonl")):
        for line in transcript.read_text("utf-8").splitlines():
            clean, counts = redact(line)
            assert not [secret for secret in secrets if secret in clean]
            content = json.loads(line).get("message", {}).get("content")
            texts = [content] if isinstance(content, str) else [block.get("text", "") for block in content or []]
            for text in texts:
                clean, counts = redact(text)
                assert not [secret for secret in secrets if secret in clean]
                removed += sum(counts.values())
    assert removed <= len(secrets) + 3, "what is no secret stays"

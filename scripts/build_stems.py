"""Write `dream/lexicon/stems.tsv`: the stem of every word of the lexicon, so that a night need not make them.

    python scripts/build_stems.py

Run it after a change to `fr_en.tsv`; a test compares the file with what the installed stemmers give.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dream.adapters.snowball import stemmed
from dream.debate.lexicon import fold

LEXICON = ROOT / "dream" / "lexicon"


def lines() -> list[str]:
    """`word<TAB>stem` for each word of three letters and more, sorted."""
    text = fold((LEXICON / "fr_en.tsv").read_text("utf-8"))
    words = {word for word in re.split(r"[^\w]+|_", text) if len(word) > 2 and word.isalpha()}
    return [f"{word}\t{stemmed(word)}" for word in sorted(words)]


if __name__ == "__main__":
    (LEXICON / "stems.tsv").write_text("\n".join(lines()) + "\n", encoding="utf-8")

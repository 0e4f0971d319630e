"""rank-bm25 over a union of candidates, with word frequencies of the whole store.

The union is full of the query's words, so counting their rarity in it would turn the ranking upside down: the caller
gives the idf of the whole index. The sum is divided by the most a document could reach, which makes it
comparable between queries: half the query's weight covered is about 0.5, whatever the query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rank_bm25 import BM25Okapi

K1 = 1.2
B = 0.6


class RankBm25:
    """Port `LexicalScorer`."""

    def score(self, query: Sequence[str], documents: Sequence[Sequence[str]], idf: Mapping[str, float]) -> list[float]:
        """One score per document in 0..1; a query without terms scores 0 everywhere."""
        wanted = [term for term in dict.fromkeys(query) if idf.get(term, 0.0) > 0.0]
        most = sum(idf[term] for term in wanted) * (K1 + 1)
        if not documents or not most:
            return [0.0] * len(documents)
        okapi = BM25Okapi([list(document) or [""] for document in documents], k1=K1, b=B)
        okapi.idf = {term: idf[term] for term in wanted}
        return [float(each) / most for each in okapi.get_scores(wanted)]

"""rank-bm25 over a union of candidates, with word frequencies of the whole store.

The union is full of the query's words, so counting their rarity in it would turn the ranking upside down: the caller
gives the idf of the whole index, and each text as counts of the query's terms alone with its full length. The sum is
divided by the most a text could reach, which makes it comparable between queries: half the query's weight covered is
about 0.5, whatever the query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rank_bm25 import BM25Okapi

K1 = 1.2
B = 0.6


class RankBm25:
    """Port `LexicalScorer`."""

    def score(
        self,
        query: Sequence[str],
        counts: Sequence[Mapping[str, float]],
        lengths: Sequence[int],
        idf: Mapping[str, float],
    ) -> list[float]:
        """One score per text in 0..1; a query without terms scores 0 everywhere."""
        wanted = [term for term in dict.fromkeys(query) if idf.get(term, 0.0) > 0.0]
        most = sum(idf[term] for term in wanted) * (K1 + 1)
        if not most or not any(counts):
            return [0.0] * len(counts)  # most nodes of a pool hold no word of the question
        okapi = _Sparse.__new__(_Sparse)  # its own counting of a corpus is not wanted
        okapi.k1, okapi.b = K1, B
        okapi.corpus_size = len(counts)
        okapi.doc_freqs = list(counts)
        okapi.doc_len = list(lengths)
        okapi.avgdl = max(1.0, sum(lengths) / len(lengths))
        okapi.idf = {term: idf[term] for term in wanted}
        return [each / most for each in okapi.get_scores(wanted)]


class _Sparse(BM25Okapi):  # type: ignore[misc]
    """The library's scores to the last bit, from those counts alone that are there.

    Its own loop asks every text for every term; a pool has a thousand texts with one or two of the question's terms.
    """

    def get_scores(self, query: Sequence[str]) -> list[float]:
        held: dict[str, list[tuple[int, float]]] = {term: [] for term in query}
        for place, counts in enumerate(self.doc_freqs):
            for term, number in counts.items():
                if term in held:
                    held[term].append((place, number))
        k1, b, sizes, mean = self.k1, self.b, self.doc_len, self.avgdl
        scores = [0.0] * self.corpus_size
        for term, places in held.items():
            weight = self.idf[term]
            for place, number in places:
                scores[place] += weight * (number * (k1 + 1) / (number + k1 * (1 - b + b * sizes[place] / mean)))
        return scores

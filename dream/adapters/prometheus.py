"""What Dream measures in the text form of Prometheus, written by its own client library; nothing is kept here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder

from dream.operations import Measured

Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily


def exposition(measured: Iterable[Measured], accept: str = "") -> tuple[str, bytes]:
    """(media type, body) of a scrape, in the form that the `Accept` header asks for."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Once(list(measured)))
    encode, media = choose_encoder(accept)
    return media, encode(registry)


class _Once:
    """A collector over figures that were read already."""

    def __init__(self, measured: Sequence[Measured]) -> None:
        self._measured = measured

    def collect(self) -> Iterator[Metric]:
        for each in self._measured:
            yield _family(each)

    def describe(self) -> list[Metric]:
        return []


def _family(each: Measured) -> Metric:
    names = list(each.labels)
    if each.type == "counter":
        counter = CounterMetricFamily(each.name.removesuffix("_total"), each.help, labels=names)
        for value in each.values:
            counter.add_metric([label for _, label in value.labels], value.number)
        return counter
    if each.type == "gauge":
        gauge = GaugeMetricFamily(each.name, each.help, labels=names)
        for value in each.values:
            gauge.add_metric([label for _, label in value.labels], value.number)
        return gauge
    histogram = HistogramMetricFamily(each.name, each.help, labels=names)
    for value in each.values:
        buckets = [("+Inf" if edge == math.inf else str(edge), float(count)) for edge, count in value.buckets]
        histogram.add_metric([label for _, label in value.labels], buckets, value.total)
    return histogram

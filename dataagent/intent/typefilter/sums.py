"""A metric that the asker defines as a sum: the catalog's metric of exactly those parts."""

from __future__ import annotations

from itertools import product

from catalog.query import Default
from catalog.types import CatalogSnapshot, Metric, MetricType
from dataagent.intent.parts import Summed
from dataagent.intent.typefilter.pieces import Focus, Piece, piece
from dataagent.intent.view import metric_of, shown

MAX_TERMS = 6


def summed_metrics(part: Summed, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    """The metrics that the catalog makes of the same parts, each added once."""
    if len(part.terms) > MAX_TERMS:
        return ()
    wanted = {tuple(sorted(way)) for way in product(*(ref.targets for ref in part.terms))}
    return tuple(m.name for m in snapshot.metrics if _parts_of(m) in wanted)


def _parts_of(metric: Metric) -> tuple[str, ...]:
    """What a plain sum adds up, in alphabetical order; () for any other metric."""
    plain = metric.type is MetricType.DERIVED and not metric.filters
    if not plain or any(p.filters or p.offset_count for p in metric.inputs):
        return ()
    names = {p.alias or p.metric: p.metric for p in metric.inputs}
    terms = [term.strip() for term in (metric.expr or "").split("+")]
    return tuple(sorted(names.values())) if sorted(terms) == sorted(names) else ()


def summed_piece(edge: int, part: Summed, focus: Focus) -> Piece:
    """Nothing to write; where the catalog calls the sum by another name, that is said."""
    if len(focus.metrics) != 1 or focus.metrics == part.ref.targets:
        return piece(edge)
    found = metric_of(focus.setting.snapshot, focus.metrics[0])
    name = (found.label if found else "") or shown(focus.metrics[0])
    text = f"“{part.ref.surface}” is what you defined; the catalog calls that sum {name}."
    return piece(edge, defaults=(Default(key="definition", value=focus.metrics[0], text=text),))

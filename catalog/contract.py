"""What a metric's definition itself leaves out, and whether a question asks for just that."""

from __future__ import annotations

from catalog.lookup import lookup
from catalog.types import CatalogSnapshot, Filter, MetricInput, Operator, Scalar

_ONE_OF = (Operator.EQ, Operator.IN)
_NONE_OF = (Operator.NE, Operator.NOT_IN)


def own_filters(snapshot: CatalogSnapshot, name: str) -> tuple[Filter, ...]:
    """The filters of a metric's definition, those of its inputs included, each once, outermost first."""
    return tuple(dict.fromkeys(_filters(snapshot, name, frozenset())))


def _filters(snapshot: CatalogSnapshot, name: str, seen: frozenset[str]) -> list[Filter]:
    metric = lookup(snapshot).metrics.get(name)
    if metric is None or name in seen:
        return []
    inputs: list[MetricInput] = [*metric.inputs, *(i for i in (metric.numerator, metric.denominator) if i)]
    found = [*metric.filters]
    for part in inputs:
        found += [*part.filters, *_filters(snapshot, part.metric, seen | {name})]
    return found


def excludes(own: Filter, given: Filter) -> bool:
    """Whether no row can meet both conditions on the same dimension."""
    if own.field.rsplit("__", maxsplit=1)[-1] != given.field.rsplit("__", maxsplit=1)[-1]:
        return False
    mine, asked = _folded(own), _folded(given)
    if own.op in _ONE_OF and given.op in _ONE_OF:
        return not mine & asked
    if own.op in _ONE_OF and given.op in _NONE_OF:
        return mine <= asked
    return own.op in _NONE_OF and given.op in _ONE_OF and asked <= mine


def _folded(condition: Filter) -> frozenset[Scalar]:
    return frozenset(v.casefold() if isinstance(v, str) else v for v in condition.values)

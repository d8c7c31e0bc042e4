"""Where a metric's numbers come from, and what a table feeds: walks over the declared lineage."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.lookup import lookup
from catalog.reach import inputs_of, models_of_metric
from catalog.types import CatalogSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """`target` is made from `source`; both are metrics or tables."""

    source: str
    target: str


def sources_of(snapshot: CatalogSnapshot, name: str) -> tuple[str, ...]:
    """What a metric or table is directly made from: its input metrics, its tables, or its upstream tables."""
    metric = lookup(snapshot).metrics.get(name)
    declared = dict(snapshot.lineage).get(name, ())
    if metric is None:
        return tuple(dict.fromkeys(declared))
    inner = inputs_of(metric)
    own = inner or tuple(m.table for m in models_of_metric(snapshot, name))
    return tuple(dict.fromkeys((*own, *declared)))


def edges(snapshot: CatalogSnapshot, name: str) -> tuple[Edge, ...]:
    """Every step from the first sources to `name`, nearest first; each once, also where lineage runs in a ring."""
    found: dict[Edge, None] = {}
    waiting, seen = [name], {name}
    while waiting:
        target = waiting.pop(0)
        for source in sources_of(snapshot, target):
            found[Edge(source=source, target=target)] = None
            if source not in seen:
                seen.add(source)
                waiting.append(source)
    return tuple(found)


def tables_behind(snapshot: CatalogSnapshot, name: str) -> tuple[str, ...]:
    """All tables that `name` is made from, however far up, nearest first."""
    metrics = lookup(snapshot).metrics
    return tuple(dict.fromkeys(e.source for e in edges(snapshot, name) if e.source not in metrics))


def fed_by(snapshot: CatalogSnapshot, table: str) -> tuple[str, ...]:
    """The metrics that change when a table changes, in catalog order."""
    return tuple(m.name for m in snapshot.metrics if table in tables_behind(snapshot, m.name))

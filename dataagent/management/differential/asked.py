"""A query as both compilers are asked it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from catalog.compiler.flow.query import FlowOrder, FlowQuery
from catalog.compiler.refs import ref_of
from catalog.management.metricflow.cases import query_of
from catalog.types import CatalogSnapshot

TIME, DIMENSION, ENTITY = "time_dimension", "dimension", "entity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """What can be grouped or filtered by, as MetricFlow lists it; a time without a grain or part is at its default."""

    kind: str
    name: str
    grain: str | None = None
    part: str | None = None

    @property
    def text(self) -> str:
        """The name as one word: `listing__ds__month`."""
        end = f"extract_{self.part}" if self.part else self.grain
        return f"{self.name}__{end}" if end else self.name

    def as_json(self) -> dict[str, Any]:
        """For the peer."""
        return {"kind": self.kind, "name": self.name, "grain": self.grain, "part": self.part}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Sort by a name or a metric."""

    by: Name | str
    descending: bool = False

    @property
    def text(self) -> str:
        """The name or metric as one word."""
        return self.by if isinstance(self.by, str) else self.by.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One query; the window's ends are ISO texts or empty."""

    metrics: tuple[str, ...] = ()
    group_by: tuple[Name, ...] = ()
    where: tuple[str, ...] = ()
    order_by: tuple[Order, ...] = ()
    limit: int | None = None
    start: str = ""
    end: str = ""
    distinct: bool = True
    min_max_only: bool = False
    saved_query: str = ""

    def as_json(self) -> dict[str, Any]:
        """For the peer."""
        orders = [
            {**({"metric": o.by} if isinstance(o.by, str) else o.by.as_json()), "descending": o.descending}
            for o in self.order_by
        ]
        return {
            "saved_query": self.saved_query or None,
            "metrics": list(self.metrics),
            "group_by": [g.as_json() for g in self.group_by],
            "where": list(self.where),
            "order_by": orders,
            "limit": self.limit,
            "window": [self.start or None, self.end or None],
            "distinct": self.distinct,
            "min_max_only": self.min_max_only,
        }

    def told(self) -> dict[str, Any]:
        """For people: only what is asked."""
        found = {
            "saved_query": self.saved_query,
            "metrics": list(self.metrics),
            "by": [g.text for g in self.group_by],
            "where": list(self.where),
            "order_by": [f"{'-' if o.descending else ''}{o.text}" for o in self.order_by],
            "limit": self.limit,
            "from": self.start,
            "to": self.end,
            "all_rows": not self.distinct,
            "min_max_only": self.min_max_only,
        }
        return {key: value for key, value in found.items() if value}

    def flow(self, snapshot: CatalogSnapshot) -> FlowQuery:
        """For our compiler."""
        if self.saved_query:
            saved = query_of({"saved_query_name": self.saved_query}, snapshot, {})
            return replace(saved, where=(*saved.where, *self.where), start=_moment(self.start), end=_moment(self.end))
        return FlowQuery(
            metrics=self.metrics,
            group_by=tuple(ref_of(g.text, snapshot) for g in self.group_by),
            where=self.where,
            order_by=tuple(FlowOrder(by=o.text, descending=o.descending) for o in self.order_by),
            limit=self.limit,
            start=_moment(self.start),
            end=_moment(self.end),
            distinct=self.distinct,
            min_max_only=self.min_max_only,
        )


def names_of(listed: Mapping[str, list[dict[str, Any]]]) -> dict[str, tuple[Name, ...]]:
    """What the peer lists, by metric."""
    return {metric: tuple(Name(**one) for one in names) for metric, names in listed.items()}


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None

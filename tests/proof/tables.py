"""The rows of models and the rows that they lead to, by loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC
from typing import Any
from zoneinfo import ZoneInfo

from catalog.types import CatalogSnapshot, Dimension, SemanticModel

Row = dict[str, Any]
Data = dict[str, list[Row]]
Key = tuple[Any, ...]
COMPUTED: dict[str, Callable[[Row], Any]] = {
    "1": lambda _: 1,
    "amount >= 2": lambda r: None if r["amount"] is None else r["amount"] >= 2,
}


class NoAnswer(Exception):
    """What has no single right answer: the compiler must stop as well."""


def cell(row: Row, expr: str) -> Any:
    return COMPUTED[expr](row) if expr in COMPUTED else row[expr.strip('"')]


class Tables:
    """Rows of models and, many to one or over a declared bridge, the rows they belong to."""

    def __init__(self, snapshot: CatalogSnapshot, data: Data) -> None:
        self.snapshot, self.data = snapshot, data
        self.models = {m.name: m for m in snapshot.models}

    def rows(self, model: SemanticModel) -> list[Row]:
        return self.data[model.table]

    def values(self, model: SemanticModel, row: Row | None, reference: str) -> tuple[list[Any], bool]:
        """All values of a dimension for a row (one, unless a bridge is crossed), and whether one is."""
        *path, name = reference.split("__")
        found = [w for w in self._ways(model, row, (), name) if not path or w[0] == tuple(path)]
        plain = [w for w in found if not w[2]] or found
        if len({w[0] for w in plain}) != 1:
            raise NoAnswer(f"{reference}: {len(plain)} ways")
        return plain[0][1], plain[0][2]

    def dimension(self, reference: str) -> Dimension:
        name = reference.rsplit("__", maxsplit=1)[-1]
        return next(d for m in self.snapshot.models for d in m.dimensions if d.name == name)

    def _shown(self, value: Any, dimension: Dimension) -> Any:
        """A time that is kept in UTC, as the workspace's clock shows it."""
        if value is None or dimension.timezone != "UTC":
            return value
        there = value.replace(tzinfo=UTC).astimezone(ZoneInfo(self.snapshot.calendar.timezone))
        return there.replace(tzinfo=None)

    def _ways(
        self, model: SemanticModel, row: Row | None, path: Key, name: str
    ) -> Iterable[tuple[Key, list[Any], bool]]:
        for dimension in model.dimensions:
            if dimension.name == name:
                yield path, [None if row is None else self._shown(cell(row, dimension.expr), dimension)], False
        for entity in model.entities:
            if entity.name in path:
                continue
            for other in self.snapshot.models:
                key = next((e for e in other.entities if e.name == entity.name and e.type == "primary"), None)
                if key is not None and other is not model:
                    held = None if row is None else cell(row, entity.expr)
                    target = next((r for r in self.rows(other) if held is not None and cell(r, key.expr) == held), None)
                    yield from self._ways(other, target, (*path, entity.name), name)
        for bridge in self.snapshot.bridges if not path else ():
            if any(e.name == bridge.from_entity and e.type == "primary" for e in model.entities):
                yield from self._over(model, row, bridge.model, (bridge.from_entity, bridge.to_entity), name)

    def _over(
        self, model: SemanticModel, row: Row | None, middle: str, ends: tuple[str, str], name: str
    ) -> Iterable[tuple[Key, list[Any], bool]]:
        pairs = self.models[middle]
        here, there = (next(e.expr for e in pairs.entities if e.name == end) for end in ends)
        own = next(e.expr for e in model.entities if e.name == ends[0])
        met = [r for r in self.rows(pairs) if row is not None and cell(r, here) == cell(row, own)]
        for other in self.snapshot.models:
            key = next((e for e in other.entities if e.name == ends[1] and e.type == "primary"), None)
            dimension = next((d for d in other.dimensions if d.name == name), None)
            if key is None or dimension is None:
                continue
            found = [next((t for t in self.rows(other) if cell(t, key.expr) == cell(r, there)), None) for r in met]
            yield ends, [None if t is None else cell(t, dimension.expr) for t in found or [None]], True

"""Random conditions of a query, with values that occur."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from random import Random
from typing import Any

from dataagent.management.differential.asked import ENTITY, TIME, Name


class Conditions:
    """Makes them; `values` gives some values that a name has under metrics."""

    def __init__(
        self,
        names: Mapping[str, tuple[Name, ...]],
        values: Callable[[tuple[str, ...], Name], Sequence[Any]],
        random: Random,
    ) -> None:
        self.names = names
        self.values = values
        self.random = random

    def some(self, metrics: tuple[str, ...], names: Sequence[Name]) -> tuple[str, ...]:
        """One or two conditions on the names."""
        return tuple(self._condition(metrics, names) for _ in range(self.random.choice((1, 1, 1, 2))))

    def _condition(self, metrics: tuple[str, ...], names: Sequence[Name]) -> str:
        random = self.random
        first = self._single(metrics, names)
        if random.random() < 0.7:
            return first
        joined = f"{first} {random.choice(('AND', 'OR'))} {self._single(metrics, names)}"
        return f"NOT ({joined})" if random.random() < 0.3 else joined

    def _single(self, metrics: tuple[str, ...], names: Sequence[Name]) -> str:
        random = self.random
        entities = [n for n in names if n.kind == ENTITY]
        if entities and random.random() < 0.12:
            return self._metric(random.choice(entities))
        by_kind: dict[str, list[Name]] = {}
        for name in names:
            by_kind.setdefault("metric_time" if name.name == "metric_time" else name.kind, []).append(name)
        name = random.choice(by_kind[random.choice(sorted(by_kind))])
        return self._on(metrics, name)

    def _metric(self, entity: Name) -> str:
        """A condition on a metric by an entity that it has."""
        fitting = [m for m, names in self.names.items() if m and entity in names]
        if not fitting:
            return "TRUE"
        metric = self.random.choice(sorted(fitting))
        sign = self.random.choice((">", "<", ">=", "=", "IS NOT NULL"))
        held = f"{{{{ Metric('{metric}', group_by=['{entity.name}']) }}}}"
        if sign == "IS NOT NULL":
            return f"{held} {sign}"
        return f"{held} {sign} {self.random.choice((0, 1, 2, 3, 10, 300))}"

    def _on(self, metrics: tuple[str, ...], name: Name) -> str:
        text = _template(name)
        found = [v for v in self.values(metrics, name) if v is not None]
        if not found or self.random.random() < 0.1:
            return f"{text} IS {self.random.choice(('', 'NOT '))}NULL"
        one = self.random.choice(found)
        if isinstance(one, bool):
            return self.random.choice((text, f"NOT {text}", f"{text} = FALSE"))
        if isinstance(one, (int | float, date)):
            return self._compared(text, sorted(v for v in found if type(v) is type(one)), one)
        sign = self.random.choice(("=", "!=", "IN", "NOT IN"))
        if "IN" in sign:
            held = ", ".join(_literal(v) for v in self.random.sample(found, min(2, len(found))))
            return f"{text} {sign} ({held})"
        return f"{text} {sign} {_literal(one)}"

    def _compared(self, text: str, found: Sequence[Any], one: Any) -> str:
        sign = self.random.choice(("=", ">", ">=", "<", "<=", "!=", "BETWEEN"))
        if sign == "BETWEEN":
            return f"{text} BETWEEN {_literal(one)} AND {_literal(found[-1])}"
        return f"{text} {sign} {_literal(one)}"


def _template(name: Name) -> str:
    """The name in a condition; where it lies behind several joins, the first ones stand apart."""
    *path, held = name.name.split("__")
    told = f"'{'__'.join((*path[-1:], held))}'"
    before = f", entity_path={list(path[:-1])!r}" if path[:-1] else ""
    if name.kind == ENTITY:
        return f"{{{{ Entity('{held}', entity_path={path!r}) }}}}" if path else f"{{{{ Entity('{held}') }}}}"
    if name.kind != TIME:
        return f"{{{{ Dimension({told}{before}) }}}}"
    if name.part:
        return f"{{{{ Dimension({told}{before}).date_part('{name.part}') }}}}"
    return f"{{{{ TimeDimension({told}, '{name.grain}'{before}) }}}}"


def _literal(value: Any) -> str:
    if isinstance(value, datetime) and (value.hour or value.minute or value.second or value.microsecond):
        return f"'{value.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"'{value.isoformat()[:10]}'"
    return str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"

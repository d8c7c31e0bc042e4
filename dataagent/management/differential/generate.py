"""Random queries over what a manifest has, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from dataagent.management.differential.asked import DIMENSION, ENTITY, TIME, Asked, Name, Order
from dataagent.management.differential.conditions import Conditions

Values = Callable[[tuple[str, ...], Name], Sequence[Any]]
"""Some values that a name has under metrics."""

METRIC_TIME = "metric_time"
_GROUPS = (0, 1, 1, 1, 1, 2, 2, 2, 3)
_METRICS = (0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3)
_TIME_FIRST = 0.5
_KINDS = (METRIC_TIME, METRIC_TIME, METRIC_TIME, DIMENSION, DIMENSION, DIMENSION, ENTITY, TIME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """What a manifest has: names by metric (and under "" what needs none), values, saved queries."""

    names: Mapping[str, tuple[Name, ...]]
    values: Values
    saved_queries: tuple[str, ...] = ()

    def shared(self, metrics: Sequence[str]) -> tuple[Name, ...]:
        """The names that all metrics have."""
        first, *rest = (self.names[m] for m in metrics or ("",))
        others = [set(names) for names in rest]
        return tuple(n for n in dict.fromkeys(first) if all(n in held for held in others))


def queries(vocabulary: Vocabulary, random: Random, count: int) -> Iterator[Asked]:
    """So many queries."""
    maker = _Maker(vocabulary, random)
    for _ in range(count):
        yield maker.query()


class _Maker:
    def __init__(self, vocabulary: Vocabulary, random: Random) -> None:
        self.vocabulary = vocabulary
        self.random = random
        self.metrics = tuple(sorted(m for m in vocabulary.names if m))
        self.conditions = Conditions(vocabulary.names, vocabulary.values, random)

    def query(self) -> Asked:
        """One query."""
        random = self.random
        if self.vocabulary.saved_queries and random.random() < 0.02:
            return Asked(saved_query=random.choice(self.vocabulary.saved_queries))
        count = min(random.choice(_METRICS), len(self.metrics))
        metrics = tuple(random.sample(self.metrics, count))
        names = self.vocabulary.shared(metrics)
        if not names:
            return Asked(metrics=metrics)
        groups = self._groups(names, random.choice(_GROUPS if metrics else _GROUPS[1:]))
        where = self.conditions.some(metrics, names) if random.random() < 0.45 else ()
        made = Asked(metrics=metrics, group_by=groups, where=where)
        if not metrics:
            return self._values(made)
        return self._ordered(self._bounded(made))

    def _groups(self, names: Sequence[Name], count: int) -> tuple[Name, ...]:
        by_kind: dict[str, list[Name]] = {}
        for name in names:
            by_kind.setdefault(METRIC_TIME if name.name == METRIC_TIME else name.kind, []).append(name)
        kinds = [k for k in _KINDS if k in by_kind]
        found: dict[Name, None] = {}
        for place in range(count if kinds else 0):
            # what looks back or adds up needs a time
            is_first = place == 0 and METRIC_TIME in by_kind and self.random.random() < _TIME_FIRST
            kind = METRIC_TIME if is_first else self.random.choice(kinds)
            found[self._bare(self.random.choice(by_kind[kind]))] = None
        return tuple(found)

    def _bare(self, name: Name) -> Name:
        """Now and then a time without its grain."""
        is_bare = name.kind == TIME and self.random.random() < 0.15
        return replace(name, grain=None, part=None) if is_bare else name

    def _values(self, made: Asked) -> Asked:
        random = self.random
        if len(made.group_by) == 1 and random.random() < 0.25:
            return replace(made, min_max_only=True)
        if random.random() < 0.1:
            return replace(made, distinct=False)
        if any(g.name == METRIC_TIME for g in made.group_by):
            made = self._bounded(made)
        return self._ordered(made)

    def _bounded(self, made: Asked) -> Asked:
        """Now and then a window on metric_time."""
        random = self.random
        time = next((n for n in self.vocabulary.shared(made.metrics) if n.name == METRIC_TIME), None)
        if time is None or random.random() > 0.25:
            return made
        moments = sorted(v for v in self.vocabulary.values(made.metrics, time) if isinstance(v, date))
        if not moments:
            return made
        start, end = sorted(self._near(random.choice(moments)) for _ in range(2))
        open_end = random.choice(("start", "end")) if random.random() < 0.3 else ""
        return replace(made, start="" if open_end == "start" else start, end="" if open_end == "end" else end)

    def _near(self, moment: date) -> str:
        shift = timedelta(days=self.random.choice((-31, -7, -1, 0, 0, 0, 1, 5, 40)))
        if isinstance(moment, datetime) and self.random.random() < 0.1:
            return (moment + shift + timedelta(hours=self.random.randrange(24))).isoformat()
        return datetime(moment.year, moment.month, moment.day).__add__(shift).isoformat()  # noqa: DTZ001

    def _ordered(self, made: Asked) -> Asked:
        """Now and then an order, and a limit where the order leaves no two rows equal."""
        random = self.random
        if random.random() > 0.3 or any(g.kind == TIME and not (g.grain or g.part) for g in made.group_by):
            return made
        shown: list[Name | str] = [*made.group_by, *made.metrics]
        random.shuffle(shown)
        is_total = random.random() < 0.5
        chosen = shown if is_total else shown[: random.randint(1, len(shown))]
        orders = tuple(Order(by=by, descending=random.random() < 0.5) for by in chosen)
        limit = random.randint(1, 12) if is_total and random.random() < 0.7 else None
        return replace(made, order_by=orders, limit=limit)

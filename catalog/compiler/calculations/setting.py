"""What every calculation of one statement is told: the spec, the relation that it stands on, and its timeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from catalog.compiler.bindings import Bindings
from catalog.compiler.metrics import relation_of
from catalog.compiler.question import Group
from catalog.compiler.recount import Reach
from catalog.compiler.relation import MetricColumn, Missing, Relation
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import QuerySpec
from catalog.types import CatalogSnapshot, TimeGranularity

ASKED = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The group of periods that a calculation follows, and the aliases of the other groups."""

    alias: str
    grain: TimeGranularity
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One statement's spec (its metrics are all that anything needs) and the asked rows, under the name `asked`.

    `named` are the columns that conditions, orders, ranks and tops speak of; `visible` the metrics shown.
    """

    spec: QuerySpec
    snapshot: CatalogSnapshot
    bindings: Bindings
    relation: Relation
    visible: tuple[str, ...]
    named: frozenset[str]

    @property
    def aliases(self) -> tuple[str, ...]:
        """The aliases of all groups, also of those that only keep rows apart."""
        return tuple(g.alias for g in self.relation.groups)

    @property
    def fills(self) -> bool:
        """Whether anything has a value where a group has no rows."""
        return bool(self.aliases) and any(m.missing is not Missing.UNKNOWN for m in self.relation.metrics)

    def metric(self, name: str) -> MetricColumn:
        """A metric of the relation."""
        return next(m for m in self.relation.metrics if m.name == name)

    def other(self, prefix: str, spec: QuerySpec, reach: Reach | None = None) -> Relation:
        """Another relation of the same statement."""
        bare = replace(spec, comparison=None, calculations=(), top=None)
        return relation_of(bare, self.snapshot, self.bindings, prefix=prefix, reach=reach)

    def within(self, names: Iterable[str], what: str) -> tuple[str, ...]:
        """The aliases of groupings by their names."""
        return tuple(self.group(n, what).alias for n in names)

    def group(self, name: str, what: str) -> Group:
        """The grouping that `name` means: its alias or its dimension."""
        found = [g for g in self.relation.groups if name in {g.alias, g.reference}]
        if len(found) != 1:
            message = f"{what} needs {name} as one of the groups of the result."
            choices = tuple(g.alias for g in self.relation.groups)
            raise stop(IssueCode.UNSUPPORTED, message, subject=name, choices=choices)
        return found[0]

    def timeline(self, what: str) -> Timeline:
        """The one grouping by the time that the window bounds, or a typed stop."""
        found = [g for g in self.relation.groups if g.alias in self.relation.timelines]
        if len(found) != 1 or found[0].grain is None:
            several = "one size of period" if found else "a period, such as the month"
            raise stop(IssueCode.UNSUPPORTED, f"{what} needs the result by {several}.", subject=what)
        alias = found[0].alias
        return Timeline(alias=alias, grain=found[0].grain, others=tuple(a for a in self.aliases if a != alias))

"""The rows behind one side of a query: a model joined, many to one, to whatever its names need."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.bindings import Literals
from catalog.compiler.dateparts import named_part
from catalog.compiler.filters import condition
from catalog.compiler.flow.paths import Reached, names_itself, reach
from catalog.compiler.flow.periods import SOURCE, Flow, custom_spine
from catalog.compiler.flow.query import FlowQuery
from catalog.compiler.joins import key_of, meeting, over
from catalog.compiler.keys import only_column
from catalog.compiler.plan import Leaf
from catalog.compiler.references import target_of
from catalog.compiler.refs import SIZES, Ref
from catalog.compiler.relying import relying
from catalog.compiler.sql import as_timestamp, column, join, select_from, subquery, table, truncated
from catalog.compiler.stop import stop
from catalog.compiler.zones import local
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.paths import Hop
from catalog.types import (
    METRIC_TIME,
    DatePart,
    Dimension,
    DimensionType,
    Entity,
    Filter,
    SemanticModel,
    TimeGranularity,
)


class Rows:
    """One model's rows; names are turned into columns, and joins are added as they are needed.

    `time` is the model's own time; once `spine_time` is set, it is seen as that instead:
    the time of the periods to which the rows were shifted or added up.
    """

    def __init__(self, flow: Flow, model: SemanticModel, time: str | None, *, side: str = "LEFT") -> None:
        self.flow = flow
        self.model = model
        self.time = time
        self.side = side
        self.spine_time: exp.Expr | None = None
        self.joins: dict[str, exp.Join] = {}
        self.leads_to: dict[str, str] = {}
        flow.read.add(model.table)

    # -- names to columns ------------------------------------------------------------------

    def value(self, ref: Ref) -> exp.Expr:
        """The column of a name, joined and brought to its grain."""
        if ref.metric:
            return self._metric(ref)
        if self.is_own_time(ref):
            own = self._own_dimension()
            held = self.spine_time if self.spine_time is not None else self._shown(ref, self.own(own.expr), own)
            return self.at(ref, held, own)
        reached = reach(self.flow.snapshot, self.model, ref)
        held = self.expression(reached)
        if reached.time is None:
            if ref.grain or ref.part:
                raise stop(IssueCode.WRONG_TYPE, f"{ref.name} is not a time.", subject=ref.column)
            return held
        return self.at(ref, self._shown(ref, held, reached.time), reached.time)

    def _shown(self, ref: Ref, value: exp.Expr, time: Dimension) -> exp.Expr:
        """A time as the workspace's wall clock shows it."""
        grain = TimeGranularity(ref.grain) if ref.grain in set(TimeGranularity) else TimeGranularity.DAY
        return local(value, time, self.flow.snapshot.calendar, grain=grain)

    def is_own_time(self, ref: Ref) -> bool:
        """Whether the name is the rows' own time, under either of its names."""
        is_here = ref.holder == self.model.name if ref.holder else names_itself(self.model, ref.path)
        return self.time is not None and (ref.is_metric_time or (is_here and ref.name == self.time))

    def at(self, ref: Ref, value: exp.Expr, dimension: Dimension) -> exp.Expr:
        """The time at the name's grain (its own where none is named)."""
        kept = dimension.granularity or TimeGranularity.DAY
        if ref.part:
            if ref.part == DatePart.HOUR and SIZES.index(kept) >= SIZES.index(TimeGranularity.DAY):
                raise stop(
                    IssueCode.GRAIN_TOO_FINE, f"{ref.name} is kept by {kept}; it has no hour.", subject=ref.column
                )
            return named_part(value, ref.part, self.flow.snapshot.calendar)
        grain = ref.grain or str(kept)
        if grain not in set(TimeGranularity):
            return self._custom(ref, value, kept)
        if SIZES.index(TimeGranularity(grain)) < SIZES.index(kept):
            message = f"{ref.name} is kept by {kept}; it has no {grain}."
            raise stop(IssueCode.GRAIN_TOO_FINE, message, subject=ref.column)
        return truncated(value, grain)

    def own(self, expression: str) -> exp.Expr:
        """An expression over the model's own columns."""
        return self._qualified(expression, SOURCE)

    def base_time(self, grain: TimeGranularity | None = None) -> exp.Expr:
        """The rows' own time at the grain in which it is kept, or at a larger one."""
        own = self._own_dimension()
        moment = local(self.own(own.expr), own, self.flow.snapshot.calendar)
        return truncated(moment, grain or own.granularity or TimeGranularity.DAY)

    def base_grain(self) -> TimeGranularity:
        """The grain in which the rows' own time is kept."""
        return self._own_dimension().granularity or TimeGranularity.DAY

    def select(self) -> exp.Select:
        """`SELECT … FROM` the model and all joins so far."""
        return select_from(table(self.model.table, SOURCE), tuple(self.joins.values()))

    def _own_dimension(self) -> Dimension:
        return next(d for d in self.model.dimensions if d.name == self.time)

    def _qualified(self, expression: str, alias: str) -> exp.Expr:
        return over(self.flow.snapshot, alias, expression)

    # -- joins -----------------------------------------------------------------------------

    def expression(self, reached: Reached) -> exp.Expr:
        """The column that was reached, after its joins."""
        left, models = SOURCE, [(SOURCE, self.model)]
        for i, hop in enumerate(reached.hops, 1):
            alias = self._alias(reached.hops, i)
            if alias not in self.joins:
                self.joins[alias] = self._hop(hop, alias, models)
            left = alias
            models.append((alias, lookup(self.flow.snapshot).models[hop.right]))
        return self._qualified(only_column(reached.element), left)

    def _alias(self, hops: tuple[Hop, ...], place: int) -> str:
        """A table on the way to two others is joined once for each, as in MetricFlow; keys make both the same row."""
        alias = "__".join((*(h.entity for h in hops[:place]), hops[place - 1].right))
        if len(hops) == 1:
            return alias
        target = hops[-1].right
        first = self.leads_to.setdefault(alias, target)
        return alias if first == target or place == len(hops) else f"{alias}__to__{target}"

    def _hop(self, hop: Hop, alias: str, before: list[tuple[str, SemanticModel]]) -> exp.Join:
        model = lookup(self.flow.snapshot).models[hop.right]
        self.flow.read.add(model.table)
        meets = meeting(self.flow.snapshot, hop, alias, before, self._now)
        joined = join(table(model.table, alias), meets, side=self.side)
        return relying(joined, key_of(self.flow.snapshot, hop, before))

    def _now(self) -> exp.Expr | None:
        return self.base_time() if self.time is not None else None

    def _custom(self, ref: Ref, value: exp.Expr, kept: TimeGranularity) -> exp.Expr:
        """The custom period of a time, looked up in the time spine that names it."""
        spine, name = custom_spine(self.flow.snapshot, ref.grain or "")
        if SIZES.index(spine.granularity) < SIZES.index(kept):
            message = f"{ref.name} is kept by {kept}; it has no {ref.grain}."
            raise stop(IssueCode.GRAIN_TOO_FINE, message, subject=ref.column)
        alias = f"{ref.column}__period"
        if alias not in self.joins:
            self.flow.read.add(spine.table)
            at = exp.EQ(this=truncated(value, spine.granularity), expression=as_timestamp(column(alias, spine.column)))
            self.joins[alias] = join(table(spine.table, alias), [at])
        return column(alias, name)

    def _metric(self, ref: Ref) -> exp.Expr:
        """A metric's value for the row's entity, computed on its own."""
        key = next((e for e in self.model.entities if e.name == ref.path[-1]), None)
        if key is None:
            key, held = self._reached_key(ref)
        else:
            held = self.own(only_column(key))
        group = Ref(path=ref.path[:-1], name=ref.path[-1])
        alias = f"{ref.column}__metric"
        if alias not in self.joins:
            query = self.flow.inner(FlowQuery(metrics=(ref.name,), group_by=(group,)))
            same = exp.EQ(this=held, expression=column(alias, "key"))
            self.joins[alias] = join(subquery(query, alias), [same], side=self.side)
        return column(alias, ref.name)

    def _reached_key(self, ref: Ref) -> tuple[Entity, exp.Expr]:
        reached = reach(self.flow.snapshot, self.model, Ref(path=ref.path[:-1], name=ref.path[-1]))
        if not isinstance(reached.element, Entity):
            raise stop(IssueCode.WRONG_TYPE, f"{ref.path[-1]} is not an entity.", subject=ref.column)
        return reached.element, self.expression(reached)


def own_conditions(rows: Rows, leaf: Leaf) -> list[exp.Expr]:
    """The typed conditions of the leaf's definition; their literals are the catalog's."""
    return typed_conditions(rows, leaf.filters)


def typed_conditions(rows: Rows, filters: tuple[Filter, ...]) -> list[exp.Expr]:
    """Typed conditions over the rows."""
    found: list[exp.Expr] = []
    for given in filters:
        held = None if given.field == METRIC_TIME else target_of(rows.flow.snapshot, (rows.model.name,), given.field)
        *path, name = given.field.split("__")
        ref = Ref(name=name, path=tuple(path), holder=held.model.name if held else "")
        dimension = held.dimension if held else Dimension(name=name, type=DimensionType.TIME, expr=name)
        found.append(condition(given, rows.value(ref), dimension, rows.flow.bindings or Literals()))
    return found

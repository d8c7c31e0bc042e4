"""One side of a query: leaves that share a scan, each aggregated at the groups asked for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from sqlglot import exp

from catalog.compiler.balances import Pick, is_by_day, member, picked
from catalog.compiler.flow.custom import custom_periods
from catalog.compiler.flow.lookback import look_back_grain, made_of
from catalog.compiler.flow.periods import SPINE, Flow, shifted, spine_periods, within
from catalog.compiler.flow.rows import Rows, typed_conditions
from catalog.compiler.flow.spine import on_spine, on_time_only, spine_rows
from catalog.compiler.plan import Leaf, Shift
from catalog.compiler.recount import Reach, recounted
from catalog.compiler.refs import Ref, at_grain
from catalog.compiler.scans import Kept, aggregates, own_part, rows_of_any, shared_part
from catalog.compiler.shift import moved_range, reach_back
from catalog.compiler.sql import (
    before,
    column,
    cte_table,
    grouped,
    join,
    named,
    select_from,
    subquery,
    truncated,
    where,
)
from catalog.compiler.stop import stop
from catalog.compiler.templates import Condition, fill
from catalog.compiler.time import within as bounded
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.query import TimeRange
from catalog.types import METRIC_TIME, Calendar, Filter, NonAdditive, PeriodAggregation, TimeGranularity

Named = tuple[str, exp.Select]
"""A query of the statement and its name."""


def side_queries(flow: Flow, leaves: Sequence[tuple[str, Leaf]], name: str) -> tuple[Named, ...]:
    """The queries of one side; the last, called `name`, has a column per group and per leaf."""
    return _Side(flow, leaves, name).queries()


def joins_of(flow: Flow, leaf: Leaf) -> Hashable:
    """The names of all tables that a side of the leaf alone would join."""
    side = _Side(flow, ((leaf.name, leaf),), "")
    side._groups()
    side._filled(leaf.where, leaf.filters)
    return frozenset(side.rows.joins)


class _Side:
    def __init__(self, flow: Flow, leaves: Sequence[tuple[str, Leaf]], name: str) -> None:
        self.flow = flow
        self.leaves = leaves
        self.leaf = leaves[0][1]
        self.name = name
        self.rows = Rows(flow, lookup(flow.snapshot).models[self.leaf.model], self.leaf.time_dimension)
        self.shared_where = shared_part([leaf.where for _, leaf in leaves])
        self.shared_filters = shared_part([leaf.filters for _, leaf in leaves])
        self.groups = flow.query.group_by
        self.times = tuple(g for g in self.groups if self.rows.is_own_time(g))
        self.window: TimeRange | None = None
        self.chosen: tuple[Condition, ...] = ()
        self.chosen_by_spine = False

    def queries(self) -> tuple[Named, ...]:
        """The side's queries, in order."""
        is_plain = self.flow.reach is None and not self._shows_one_of_many()
        wrapped = self.leaf.on_spine and bool(self.times) and is_plain
        inner = f"{self.name}_without_spine" if wrapped else self.name
        made = self._aggregated(inner)
        if not wrapped:
            return made
        outer = on_spine(self.flow, self.rows, self.leaf, inner, [n for n, _ in self.leaves])
        return (*made, (self.name, outer))

    def _aggregated(self, name: str) -> tuple[Named, ...]:
        if self.flow.reach is not None:
            return self._recounted(self.flow.reach, name)
        if self.leaf.accumulation is not None:
            return self._accumulated(name)
        if self.leaf.shifts:
            self._shift_rows()
        if self.leaf.measure.non_additive is not None:
            return self._picked(name, self.leaf.measure.non_additive)
        return self._plain(name)

    def _plain(self, name: str) -> tuple[Named, ...]:
        """The aggregates of each group; names come first, because they add the joins."""
        groups, conditions, kept = self._groups(), self._conditions(), self._kept()
        rows = where(self.rows.select(), [*conditions, *rows_of_any(kept)])
        return ((name, grouped(rows, groups, aggregates(kept, grouped=bool(groups)))),)

    def _recounted(self, reach: Reach, name: str) -> tuple[Named, ...]:
        """Each period with all rows that count towards it; no period is missing that `reach` lists."""
        groups, conditions = self._groups(), self._conditions()
        rows = where(self.rows.select(), conditions)
        return recounted(reach, name, rows, groups=groups, kept=self._kept())

    # -- columns and conditions ------------------------------------------------------------

    def _groups(self) -> list[exp.Alias]:
        return [named(self.rows.value(g), g.column) for g in self.groups]

    def _kept(self) -> list[Kept]:
        """What each leaf counts, under the conditions that the others do not share."""
        made: dict[object, exp.Expr | None] = {((), ()): None}
        found = []
        for name, leaf in self.leaves:
            own = own_part(leaf.where, self.shared_where), own_part(leaf.filters, self.shared_filters)
            if own not in made:
                made[own] = exp.and_(*self._filled(*own))
            found.append(Kept(name=name, leaf=leaf, column=self.rows.own(leaf.measure.expr), when=made[own]))
        return found

    def _filled(self, templated: Sequence[Condition], typed: tuple[Filter, ...]) -> list[exp.Expr]:
        return [*(fill(c, self.rows.value) for c in templated), *typed_conditions(self.rows, typed)]

    def _conditions(self) -> list[exp.Expr]:
        found = self._filled(own_part(self.shared_where, self.chosen), self.shared_filters)
        if self.chosen_by_spine:
            return [*found, *self._moved_window()]
        time = self.rows.spine_time if self.rows.spine_time is not None else self.rows.base_time()
        if self.window is not None and self.flow.bindings is not None:
            return [*found, *bounded(time, self.window, self.flow.bindings)]
        return [*found, *within(self.flow, time)]

    # -- looking back ----------------------------------------------------------------------

    def _shift_rows(self) -> None:
        """The rows as seen from later periods: each period of the spine meets the rows of its earlier one."""
        if not self.times:
            self._shift_window()
            return
        if any(s.custom for s in self.leaf.shifts):
            self._shift_custom(self.leaf.shifts)
            return
        base = self.rows.base_grain()
        grain = look_back_grain(self.times, self.leaf.shifts, base)
        if grain is not base:
            self._shift_periods(grain)
            return
        now = self._add_spine()
        meets = exp.EQ(this=shifted(now, self.leaf.shifts, base), expression=self.rows.base_time())
        starts = [s for s in self.leaf.shifts if not s.count]
        self._join_spine([meets, *(self._period_starts(now) if starts else [])])

    def _shift_periods(self, grain: TimeGranularity) -> None:
        """Whole periods meet: those of the spine that have a row in the window and under the conditions on time."""
        self.chosen, self.chosen_by_spine = on_time_only(self.rows, self.leaf.where), True
        mixed = [r for c in self.leaf.where if c not in self.chosen for r in c.refs if self.rows.is_own_time(r)]
        if not all(made_of(r, grain) for r in mixed):
            message = f"{self.leaf.name} looks back by whole {grain}s; give the condition on time apart from others."
            raise stop(IssueCode.UNSUPPORTED, message, subject=self.leaf.name)
        now = self._add_spine()
        own = at_grain(Ref(name=METRIC_TIME), grain)
        periods = spine_rows(self.flow, {"period": own}, self.chosen, self.rows.base_grain())
        seen = shifted(now, self.leaf.shifts, grain)
        meets = exp.EQ(this=seen, expression=self.rows.base_time(grain))
        self.rows.joins = {SPINE: join(subquery(periods, SPINE), [meets], side="INNER")}

    def _moved_window(self) -> list[exp.Expr]:
        """The days of a typed question's window, each moved with its period."""
        whole, bindings = self.flow.whole, self.flow.bindings
        if whole is None or bindings is None or any(not s.count for s in self.leaf.shifts):
            return []
        return bounded(self.rows.base_time(), moved_range(self.leaf, whole) or whole, bindings)

    def _shift_window(self) -> None:
        """Without periods, the whole window is looked at earlier."""
        whole, bindings = self.flow.whole, self.flow.bindings
        if whole is None or bindings is None or any(s.custom or not s.count for s in self.leaf.shifts):
            message = f"{self.leaf.name} looks back in time; ask for it by a period."
            raise stop(IssueCode.UNSUPPORTED, message, subject=self.leaf.name)
        self.window = moved_range(self.leaf, whole)

    def _shift_custom(self, shifts: tuple[Shift, ...]) -> None:
        if len(shifts) > 1:
            message = f"{self.leaf.name} looks back by a custom period and once more; that cannot be computed yet."
            raise stop(IssueCode.UNSUPPORTED, message, subject=self.leaf.name)
        self._add_spine()
        meets = exp.EQ(this=column(SPINE, "looked_up"), expression=self.rows.base_time())
        periods = custom_periods(self.flow, shifts[0], self.rows.base_grain())
        self.rows.joins = {SPINE: join(subquery(periods, SPINE), [meets], side="INNER")}

    def _add_spine(self) -> exp.Expr:
        self.rows.spine_time = column(SPINE, "period")
        return self.rows.spine_time

    def _join_spine(self, on: list[exp.Expr]) -> None:
        periods = spine_periods(self.flow, self.rows.base_grain())
        first = {SPINE: join(subquery(periods, SPINE), on, side="INNER")}
        self.rows.joins = {**first, **self.rows.joins}

    def _period_starts(self, now: exp.Expr) -> list[exp.Expr]:
        """A value at the start of a period is shown for a coarser period only once, at its own start."""
        if any(t.part or (t.grain and t.grain not in set(TimeGranularity)) for t in self.times):
            message = f"{self.leaf.name} looks back to the start of a period; ask for it by a plain period."
            raise stop(IssueCode.UNSUPPORTED, message, subject=self.leaf.name)
        grains = {t.grain or str(self.rows.base_grain()) for t in self.times}
        if str(self.rows.base_grain()) in grains:
            return []
        starts = [exp.EQ(this=truncated(now, g), expression=now.copy()) for g in sorted(grains)]
        return [exp.paren(exp.or_(*starts), copy=False)]

    # -- adding up over time ---------------------------------------------------------------

    def _accumulated(self, name: str) -> tuple[Named, ...]:
        rule = self.leaf.accumulation
        is_bounded = rule is not None and (rule.count is not None or rule.to_date is not None)
        if not self.times:
            self._whole(is_bounded)
            return self._plain(name)
        now = self._add_spine()
        if any(s.custom for s in self.leaf.shifts):
            message = f"{self.leaf.name} adds up over time; it cannot look back by a custom period yet."
            raise stop(IssueCode.UNSUPPORTED, message, subject=self.leaf.name)
        seen = shifted(now, self.leaf.shifts, self.rows.base_grain())
        # a sum that is looked back at must lie in the window itself, as in MetricFlow
        self._join_spine([*self._reach(seen), *(within(self.flow, seen) if self.leaf.shifts else [])])
        if not self._shows_one_of_many():
            return self._plain(name)
        return self._by_period(name, self._groups(), self._conditions())

    def _shows_one_of_many(self) -> bool:
        """Whether the periods asked for each have several values of what adds up, of which one stands for all."""
        base = str(self.rows.base_grain())
        by_base = any(not t.part and (t.grain or base) == base for t in self.times)
        return self.leaf.accumulation is not None and bool(self.times) and not by_base

    def _whole(self, is_bounded: bool) -> None:
        """Without periods: all that there is, or what it is at the end of the window."""
        timely = any(self.rows.is_own_time(r) for c in self.leaf.where for r in c.refs)
        if self.flow.whole is not None and not (self.leaf.shifts or timely):
            self.window = reach_back(self.leaf, self.flow.whole, Calendar())
            return
        if is_bounded or self.leaf.shifts or timely:
            message = f"{self.leaf.name} adds up over time; ask for it by a period."
            raise stop(IssueCode.UNSUPPORTED, message, subject=self.leaf.name)
        self.flow = replace(self.flow, window=(None, self.flow.window[1]))

    def _reach(self, now: exp.Expr) -> list[exp.Expr]:
        rule, time = self.leaf.accumulation, self.rows.base_time()
        found: list[exp.Expr] = [exp.LTE(this=time, expression=now.copy())]
        if rule is not None and rule.count is not None and rule.granularity is not None:
            found.append(exp.GT(this=time.copy(), expression=before(now, rule.count, rule.granularity)))
        elif rule is not None and rule.to_date is not None:
            found.append(exp.GTE(this=time.copy(), expression=truncated(now, rule.to_date)))
        return found

    def _by_period(self, name: str, groups: list[exp.Alias], conditions: list[exp.Expr]) -> tuple[Named, ...]:
        """Periods coarser than the measure's own show one of their values, or the average of them."""
        if any(t.part for t in self.times):
            message = f"{self.leaf.name} adds up over time; ask for it by {self.rows.base_grain()}."
            raise stop(IssueCode.UNSUPPORTED, message, subject=self.leaf.name)
        fine = f"{name}_by_{self.rows.base_grain()}"
        day, columns = named(column(SPINE, "period"), "period"), [n for n, _ in self.leaves]
        measures = aggregates(self._kept(), grouped=True)
        made = [(fine, grouped(where(self.rows.select(), conditions), [day, *groups], measures))]
        if self.leaf.on_spine:
            whole = f"{fine}_on_spine"
            made.append((whole, on_spine(self.flow, self.rows, self.leaf, fine, columns, period="period")))
            fine = whole
        keys = [column(fine, g.column) for g in self.groups]
        shown = [
            named(self._stands_for(_or_fill(column(fine, n), leaf), keys, column(fine, "period")), n)
            for n, leaf in self.leaves
        ]
        outer = select_from(cte_table(fine)).select(*(named(k, k.name) for k in keys), *shown, copy=False)
        return (*made, (name, outer.distinct(copy=False)))

    def _stands_for(self, value: exp.Expr, keys: list[exp.Column], period: exp.Expr) -> exp.Expr:
        rule = self.leaf.accumulation.period_agg if self.leaf.accumulation else None
        partition = [k.copy() for k in keys]
        if rule is PeriodAggregation.AVERAGE:
            return exp.Window(this=exp.Avg(this=value), partition_by=partition)
        made = exp.LastValue(this=value) if rule is PeriodAggregation.LAST else exp.FirstValue(this=value)
        whole = exp.WindowSpec(
            kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="UNBOUNDED", end_side="FOLLOWING"
        )
        order = exp.Order(expressions=[exp.Ordered(this=period, nulls_first=False)])
        return exp.Window(this=made, partition_by=partition, order=order, spec=whole)

    # -- balances --------------------------------------------------------------------------

    def _picked(self, name: str, rule: NonAdditive) -> tuple[Named, ...]:
        """Only rows of the first or last moment, of each period and each window group, are aggregated."""
        keys = [self._member(w) for w in rule.window_groupings]
        if rule.dimension == self.leaf.time_dimension:
            keys.extend(self.rows.value(t) for t in self.times)
        groups, conditions = self._groups(), self._conditions()
        pick = Pick(
            rule=rule,
            moment=self._member(rule.dimension),
            keys=tuple(keys),
            source=self.rows.select(),
            own=Rows(self.flow, self.rows.model, None).select(),
            few=is_by_day(self.rows.model, rule.dimension),
            before=tuple(conditions),
        )
        return picked(pick, name, groups, self._kept())

    def _member(self, name: str) -> exp.Expr:
        return self.rows.own(member(self.rows.model, self.leaf, name))


def _or_fill(value: exp.Expr, leaf: Leaf) -> exp.Expr:
    return value if leaf.fill is None else exp.Coalesce(this=value, expressions=[exp.convert(leaf.fill)])

"""One side: measures of one model, aggregated at their own grain with their own joins and their own time."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from sqlglot import exp

from catalog.compiler.averaging import averaged, averages
from catalog.compiler.balances import Pick, is_by_day, member, picked
from catalog.compiler.bindings import Bindings
from catalog.compiler.conversion import converted, counted, earlier_columns, later_columns
from catalog.compiler.dateparts import part_of
from catalog.compiler.filters import NEGATIONS, condition
from catalog.compiler.joins import Tables
from catalog.compiler.keys import row_keys
from catalog.compiler.plan import Leaf, held_measure
from catalog.compiler.question import Group, Question, bounds
from catalog.compiler.recount import once_per_group, recounted
from catalog.compiler.references import target_of, way_to
from catalog.compiler.running import Spans, check_spans, daily, meets, moment, moments_query, spans_query
from catalog.compiler.scans import Kept, aggregates, own_part, rows_of_any, shared_part
from catalog.compiler.shift import moved_bucket, moved_range, reach_back
from catalog.compiler.sql import as_timestamp, grouped, named, quoted
from catalog.compiler.sql import column as _column
from catalog.compiler.stop import stop
from catalog.compiler.time import bucket, kept_time, within
from catalog.compiler.zones import local
from catalog.issues import IssueCode
from catalog.lookup import Held, lookup
from catalog.paths import Reached
from catalog.query import QuerySpec
from catalog.reach import MAY_CROSS
from catalog.types import (
    METRIC_TIME,
    Conversion,
    DatePart,
    Dimension,
    Filter,
    Measure,
    NonAdditive,
    TimeGranularity,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The common table expressions of one side; the last one holds one row per group."""

    ctes: tuple[tuple[str, exp.Query], ...]
    tables: frozenset[str]
    notes: tuple[str, ...]
    overlapping: bool

    @property
    def name(self) -> str:
        """The table that holds the side's groups."""
        return self.ctes[-1][0]


def build_side(question: Question, leaves: tuple[Leaf, ...], name: str, bindings: Bindings) -> Side:
    """The side of leaves that share their filters and time."""
    return _Builder(question, leaves, bindings).side(name)


def joins_of(question: Question, leaf: Leaf) -> Hashable:
    """The ways to all tables that a side of the leaf alone would join; None over a bridge, where rows multiply."""
    builder = _Builder(question, (leaf,), Bindings())
    for group in question.groups:
        builder._group(group)
    builder._conditions()
    return None if builder.tables.crosses_bridge else builder.tables.joined


class _Builder:
    """Collects the joins of one side while its columns and conditions are made."""

    def __init__(self, question: Question, leaves: tuple[Leaf, ...], bindings: Bindings) -> None:
        self.question = question
        self.leaves = leaves
        self.leaf = leaves[0]
        self.shared = shared_part([leaf.filters for leaf in leaves])
        self.bindings = bindings
        self.model = lookup(question.snapshot).models[self.leaf.model]
        self.tables = Tables(question.snapshot, self.model, self._now)
        self.calendar = question.snapshot.calendar
        self.bridged_groups = False

    def side(self, name: str) -> Side:
        if self.leaf.followed is not None:
            return self._side(self._converted(name, self.leaf.followed))
        periods = [g for g in self.question.groups if self._is_own_period(g)]
        if any(self._is_spanned(g) for g in periods):
            return self._side(self._spanned(name, periods))
        groups = [self._group(g) for g in self.question.groups]
        timely, others = self._conditions()
        if self.question.reach is not None:
            rows, keys = self._from([*timely, *others]), self._row_keys()
            ctes = recounted(self.question.reach, name, rows, groups=groups, kept=self._kept(), keys=keys)
        elif self.leaf.measure.non_additive is not None:
            ctes = self._picked(name, groups, self.leaf.measure.non_additive, timely=timely, others=others)
        elif self.tables.crosses_bridge:
            rows, keys = self._from([*timely, *others]), self._row_keys()
            ctes = once_per_group(name, rows, groups=groups, kept=self._kept(), keys=keys)
        else:
            kept = self._kept()
            columns = aggregates(kept, grouped=bool(groups))
            ctes = ((name, grouped(self._from([*timely, *others, *rows_of_any(kept)]), groups, columns)),)
        return self._side(ctes)

    def _side(self, ctes: tuple[tuple[str, exp.Query], ...]) -> Side:
        return Side(
            ctes=ctes,
            tables=frozenset(self.tables.read),
            notes=self._notes(),
            overlapping=self.bridged_groups,
        )

    def _notes(self) -> tuple[str, ...]:
        if not self.bridged_groups:
            return ()
        return (f"One row of {self.model.name} may belong to several groups, so groups may overlap.",)

    def _from(self, conditions: list[exp.Expr]) -> exp.Select:
        select = self.tables.select()
        return select.where(*conditions, copy=False) if conditions else select

    # -- columns ---------------------------------------------------------------------------

    def _group(self, group: Group) -> exp.Alias:
        column, dimension, reached = self._column(group.reference, group.held)
        self.bridged_groups |= reached is not None and reached.path.crosses_bridge
        if group.part is not None:
            return named(self._part(column, dimension, group.part), group.alias)
        if group.grain is None:
            return named(column, group.alias)
        return named(self._bucket(column, dimension, group), group.alias)

    def _part(self, column: exp.Expr, dimension: Dimension, part: DatePart) -> exp.Expr:
        if self.leaf.shifts or self.leaf.accumulation is not None:
            raise self._unsupported("is made from other days; ask for it by periods, not by a part of the date")
        if part is DatePart.HOUR:
            # a day has no hours to tell apart
            bucket(column, dimension, TimeGranularity.HOUR, self.question.snapshot.calendar)
        return part_of(local(column, dimension, self.calendar), part, self.calendar)

    def _bucket(self, column: exp.Expr, dimension: Dimension, group: Group) -> exp.Expr:
        grain, calendar = group.grain or TimeGranularity.DAY, self.calendar
        column = local(column, dimension, calendar, grain=grain)
        if self.leaf.shifts:
            if group.held is not None:
                raise self._unsupported("looks back in its own time, not in another one")
            column = moved_bucket(column, self.leaf, grain) or column
        return bucket(column, dimension, grain, calendar)

    def _column(self, reference: str, held: Held | None) -> tuple[exp.Expr, Dimension, Reached | None]:
        if held is None:
            column, dimension = self._own_time()
            return column, dimension, None
        reached = way_to(self.question.snapshot, self.model.name, reference, held)
        column = self.tables.column(reached.path, reached.held.dimension.expr)
        if self.tables.crosses_bridge:
            self._check_bridge(reference)
        return column, reached.held.dimension, reached

    def _now(self) -> exp.Expr | None:
        """The rows' own time, at which slowly changing tables are looked up."""
        own = next((d for d in self.model.dimensions if d.name == self.leaf.time_dimension), None)
        return as_timestamp(local(self.tables.own(own.expr), own, self.calendar)) if own is not None else None

    def _own_time(self) -> tuple[exp.Expr, Dimension]:
        name = self.leaf.time_dimension
        own = next((d for d in self.model.dimensions if d.name == name), None)
        if own is not None:
            return self.tables.own(own.expr), own
        if name is None:
            message = f"{self.leaf.name} has no time, so it cannot be seen by period."
            raise stop(IssueCode.UNREACHABLE_DIMENSION, message, subject=self.leaf.name)
        held = target_of(self.question.snapshot, (self.model.name,), name)
        column, dimension, _ = self._column(name, held)
        return column, dimension

    # -- conditions ------------------------------------------------------------------------

    def _conditions(self, *, ranged: bool = True) -> tuple[list[exp.Expr], list[exp.Expr]]:
        """The conditions on the measure's own time (with the window, if `ranged`), and all others."""
        timely: list[exp.Expr] = []
        others: list[exp.Expr] = []
        elsewhere = self.question.range_on is not None and not self._is_snapshot_time(self.question.range_on)
        if ranged:
            (others if elsewhere else timely).extend(self._range())
        own = tuple((f, self._own_filter(f)) for f in self.shared)
        for given, held in (*own, *self.question.where):
            made, is_timely = self._condition(given, held)
            (timely if is_timely else others).append(made)
        return timely, others

    def _condition(self, given: Filter, held: Held | None) -> tuple[exp.Expr, bool]:
        """One condition, and whether it is on the measure's own time."""
        column, dimension, reached = self._column(given.field, held)
        if reached is not None and reached.path.crosses_bridge and given.op in NEGATIONS:
            raise self._unsupported(f"may have several {given.field}; leaving one out would be ambiguous")
        made = condition(given, column, dimension, self.bindings, calendar=self.calendar)
        is_timely = held is None or self._is_snapshot_time(held)
        if is_timely and self.leaf.shifts:
            raise self._unsupported("looks back in time; a further condition on its time is ambiguous")
        return made, is_timely

    def _kept(self) -> list[Kept]:
        """What each leaf counts, under the conditions that the others do not share."""
        made: dict[tuple[Filter, ...], exp.Expr | None] = {(): None}
        found = []
        for leaf in self.leaves:
            own = own_part(leaf.filters, self.shared)
            if own not in made:
                made[own] = exp.and_(*(self._condition(f, self._own_filter(f))[0] for f in own))
            column = self.tables.own(leaf.measure.expr)
            found.append(Kept(name=leaf.name, leaf=leaf, column=column, when=made[own]))
        return found

    def _own_filter(self, given: Filter) -> Held | None:
        if given.field == METRIC_TIME:
            return None
        return target_of(self.question.snapshot, (self.model.name,), given.field)

    def _is_snapshot_time(self, held: Held) -> bool:
        rule = self.leaf.measure.non_additive
        return self._is_own(held, rule.dimension) if rule else self._is_own_time(held)

    def _is_own_time(self, held: Held) -> bool:
        return self._is_own(held, self.leaf.time_dimension)

    def _is_own(self, held: Held, name: str | None) -> bool:
        return held.model.name == self.model.name and held.dimension.name == name

    def _range(self) -> list[exp.Expr]:
        spec, leaf, calendar = self.question.spec, self.leaf, self.calendar
        if leaf.accumulation is not None:
            column, dimension = self._own_time()
            if self.question.range_on is not None:
                raise self._unsupported("adds up over its own time, not over another one")
            reached = reach_back(leaf, spec.time_range, calendar)
            return within(column, reached, self.bindings, dimension=dimension, calendar=calendar)
        window = spec.time_range
        if leaf.shifts:
            if self.question.range_on is not None or not self.question.uses_metric_time:
                raise self._unsupported("looks back in its own time; ask for a period or by period")
            window = moved_range(leaf, spec.time_range)
        if window is None or not bounds(spec):
            return []
        column, dimension, _ = self._column(spec.time_dimension or METRIC_TIME, self.question.range_on)
        return within(column, window, self.bindings, dimension=dimension, calendar=calendar)

    # -- bridges ---------------------------------------------------------------------------

    def _check_bridge(self, reference: str) -> None:
        sums = next((x for x in self.leaves if x.measure.agg not in MAY_CROSS), None)
        if sums is not None:
            message = f"A row of {self.model.name} may have several {reference}; {sums.name} would be counted twice."
            raise stop(IssueCode.FAN_OUT, message, subject=reference)
        if self.model.primary_entity() is None or self.leaf.measure.non_additive is not None:
            raise self._unsupported(f"cannot be split by {reference} without counting twice")

    def _row_keys(self) -> list[exp.Alias]:
        """What tells one row of the model from another, where a bridge may bring it in several times."""
        return row_keys(self.model, self.tables.own) if self.tables.crosses_bridge else []

    # -- values of other days --------------------------------------------------------------

    def _is_own_period(self, group: Group) -> bool:
        return group.grain is not None and (group.held is None or self._is_own_time(group.held))

    def _is_spanned(self, group: Group) -> bool:
        """Whether a period's value comes from days that no bucket of the period holds."""
        if self.leaf.accumulation is not None or not self.leaf.shifts:
            return self.leaf.accumulation is not None
        return moved_bucket(exp.column("day"), self.leaf, group.grain or TimeGranularity.DAY) is None

    def _spanned(self, name: str, periods: list[Group]) -> tuple[tuple[str, exp.Query], ...]:
        """Each period of the table with the days that count towards it, and the aggregates of their rows."""
        time, snapshot = periods[0], self.question.snapshot
        column, dimension = self._own_time()
        spans = Spans(
            alias=time.alias,
            grain=time.grain or TimeGranularity.DAY,
            leaf=self.leaf,
            window=self.question.spec.time_range,
            calendar=snapshot.calendar,
        )
        self._check_spanned(periods, spans)
        all_rows, own = self._from([]), local(column, dimension, self.calendar, grain=spans.base)
        timely, others = self._conditions(ranged=False)
        if timely:
            raise self._unsupported("is made from other days; a further condition on its time is ambiguous")
        groups = [self._group(g) for g in self.question.groups if g is not time]
        if self.tables.crosses_bridge:
            raise self._unsupported("cannot be split over a many-to-many path by period")
        days, held, rows = (f"{name}_{part}" for part in ("days", "periods", "rows"))
        by_day, above = daily(rows, self._from(others), [named(moment(own, spans.base), "day"), *groups], self._kept())
        present, counted = (days, moments_query(all_rows, own, spans)), (rows, by_day)
        if averages(spans):
            given, names = list(zip(self.leaves, above, strict=True)), [g.alias for g in groups]
            made = averaged(name, spans, days, rows=rows, groups=names, leaves=given, bindings=self.bindings)
            return (present, counted, *made)
        joined = exp.Select().from_(exp.to_identifier(held, quoted=True))
        side = "LEFT" if self.leaf.accumulation is not None and not groups else None
        joined.append("joins", exp.Join(this=exp.Table(this=quoted(rows)), side=side, on=meets(spans, rows, held)))
        shown = [_named(g.alias, held if g is time else rows) for g in self.question.groups]
        return (
            present,
            (held, spans_query(days, spans, self.bindings)),
            counted,
            (name, grouped(joined, shown, above)),
        )

    def _check_spanned(self, periods: list[Group], spans: Spans) -> None:
        if len(periods) > 1 or self.question.range_on is not None:
            raise self._unsupported("is made from other days of its own time; ask for one size of period")
        check_spans(spans)

    # -- conversions -----------------------------------------------------------------------

    def _converted(self, name: str, rule: Conversion) -> tuple[tuple[str, exp.Query], ...]:
        """Each later row once, for the last earlier row of the same entity."""
        groups = [self._group(g) for g in self.question.groups]
        timely, others = self._conditions()
        if self.tables.crosses_bridge:
            raise self._unsupported("cannot be split over a many-to-many path")
        time, dimension = self._own_time()
        earlier = earlier_columns(self.model, rule, self.tables.own, kept_time(time, dimension, self.calendar))
        base = self._from([*timely, *others]).select(*earlier, *groups, copy=False)
        later, measure = self._later(rule)
        aliases = [g.alias for g in self.question.groups]
        parts = converted(rule, name, aliases, base=base, later=later)
        return (*parts, (name, counted(name, aliases, measure, self.leaf.name)))

    def _later(self, rule: Conversion) -> tuple[exp.Select, Measure]:
        """The later rows under the conversion measure's own conditions, and that measure."""
        model, measure, time = held_measure(self.question.snapshot, rule.conversion.name)
        leaf = Leaf(
            name=rule.conversion.name,
            model=model.name,
            measure=measure,
            time_dimension=time,
            filters=rule.conversion.filters,
        )
        plain = replace(self.question, spec=QuerySpec(metrics=()), groups=(), where=(), range_on=None)
        inner = _Builder(plain, (leaf,), self.bindings)
        at, dimension = inner._own_time()
        timely, others = inner._conditions()
        columns = later_columns(model, rule, inner.tables.own, kept_time(at, dimension, self.calendar), measure)
        made = inner._from([*timely, *others]).select(*columns, copy=False)
        if inner.tables.crosses_bridge:
            raise self._unsupported("counts later rows over a many-to-many path")
        self.tables.read |= inner.tables.read
        return made, measure

    # -- balances --------------------------------------------------------------------------

    def _picked(
        self, name: str, groups: list[exp.Alias], rule: NonAdditive, *, timely: list[exp.Expr], others: list[exp.Expr]
    ) -> tuple[tuple[str, exp.Select], ...]:
        """Only the rows of the last (or first) moment of the window, or of each period, are aggregated.

        The moment is chosen before any other condition: a group that is absent from the
        last one has nothing, not what it had some time before.
        """
        periods = [g.this for g, q in zip(groups, self.question.groups, strict=True) if self._is_period(q)]
        pick = Pick(
            rule=rule,
            moment=self._member(rule.dimension),
            keys=(*periods, *(self._member(w) for w in rule.window_groupings)),
            source=self.tables.select(),
            own=Tables(self.question.snapshot, self.model).select(),
            few=is_by_day(self.model, rule.dimension),
            before=tuple(timely),
            after=tuple(others),
        )
        return picked(pick, name, groups, self._kept())

    def _is_period(self, group: Group) -> bool:
        timely = group.grain is not None or group.part is not None
        return timely and (group.held is None or self._is_snapshot_time(group.held))

    def _member(self, name: str) -> exp.Expr:
        return self.tables.own(member(self.model, self.leaf, name))

    def _unsupported(self, why: str) -> Exception:
        return stop(IssueCode.UNSUPPORTED, f"{self.leaf.name} {why}.", subject=self.leaf.name)


def _named(name: str, table: str) -> exp.Alias:
    return named(_column(table, name), name)

"""What a metric query means, evaluated row by row in plain Python: loops and dictionaries, no SQL.

This is written from the definitions of the catalog, not from the compiler, and shares none of its code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from catalog.query import QuerySpec, TimeRange
from catalog.types import (
    METRIC_TIME,
    CatalogSnapshot,
    Filter,
    Measure,
    Metric,
    MetricInput,
    NonAdditive,
    SemanticModel,
    TimeGranularity,
)
from tests.proof.aggregates import aggregate, meets
from tests.proof.days import Moment, day_of, moved, next_start, start_of
from tests.proof.formulas import evaluate
from tests.proof.on_spine import seen_from_days
from tests.proof.tables import Data, Key, NoAnswer, Row, Tables, cell


@dataclass(frozen=True)
class Part:
    """One measure as a metric uses it."""

    model: SemanticModel
    measure: Measure
    metric: Metric
    filters: tuple[Filter, ...]
    offset: tuple[int, TimeGranularity] | None = None

    @property
    def time(self) -> str:
        return self.measure.agg_time_dimension or self.metric.time_dimension or self.model.default_time_dimension or ""

    @property
    def runs(self) -> bool:
        return self.metric.type == "cumulative"

    @property
    def scan(self) -> tuple[Any, ...]:
        rule = (self.metric.window_count, self.metric.window_granularity, self.metric.grain_to_date)
        rule = (*rule, self.metric.period_agg)
        running = rule if self.runs else None
        return (self.model.name, self.time, self.filters, running, self.offset, self.measure.non_additive)


def inside(moment: Moment | None, window: TimeRange | None) -> bool:
    if window is None or (window.start is None and window.end is None):
        return True
    if moment is None:
        return False
    day = day_of(moment)
    return (window.start is None or day >= window.start) and (window.end is None or day < window.end)


@dataclass(frozen=True)
class Seen:
    """A row in one group: `moment` is its own time, `other` its groups besides own times."""

    row: Row
    moment: Moment | None
    groups: Key
    kept: bool


class Evaluation:
    """One query over one set of rows.

    On a time spine nothing is made of nothing: only a metric's own null policy fills.
    """

    def __init__(self, snapshot: CatalogSnapshot, data: Data, spec: QuerySpec) -> None:
        self.snapshot, self.spec = snapshot, spec
        self.tables = Tables(snapshot, data)
        self.metrics = {m.name: m for m in snapshot.metrics}
        self.fills = not snapshot.time_spines

    # -- a part by its groups

    def part(self, part: Part) -> dict[Key, Any]:
        self.joined(part, None)
        if (
            not self.fills
            and (part.runs or part.offset)
            and any(self.is_own_time(part, g.dimension) for g in self.spec.group_by)
        ):
            return seen_from_days(self, part)
        if part.runs and any(self.is_own_time(part, g.dimension) for g in self.spec.group_by):
            return self._running(part)
        window = self._window(part)
        seen = [s for row in self.tables.rows(part.model) for s in self._seen(part, row, window)]
        if part.measure.non_additive is not None:
            seen = self._snapshots(part, seen, part.measure.non_additive)
        found = self._totals(part, [s for s in seen if s.kept])
        return self._looked_up(part, found) if self._looks_up_days(part) else found

    def _looks_up_days(self, part: Part) -> bool:
        """Whether each day shows the same day of earlier months: only days of the month tell which."""
        own = [g for g in self.spec.group_by if self.is_own_time(part, g.dimension)]
        by_months = part.offset is not None and part.offset[1] in {"month", "quarter", "year"}
        return by_months and any(g.granularity in {None, "day"} for g in own)

    def _looked_up(self, part: Part, found: dict[Key, Any]) -> dict[Key, Any]:
        """The day seen from later ones; from the 31st, a shorter month is seen by its last day."""
        if part.offset is None:
            return found
        count, unit = part.offset
        place = next(i for i, g in enumerate(self.spec.group_by) if self.is_own_time(part, g.dimension))
        moments = [self.own_time(part, r) for r in self.tables.rows(part.model)]
        days = {day_of(m) for m in moments if m is not None}
        shown: dict[Key, Any] = {}
        for day in days | {moved(d, count, unit) for d in days}:
            for key, value in found.items():
                if inside(day, self.spec.time_range) and key[place] == moved(day, -count, unit):
                    shown[(*key[:place], day, *key[place + 1 :])] = value
        return shown

    def counts(self, part: Part, day: date) -> bool:
        """Whether a day of the spine is asked for."""
        timely = (f for f in self._conditions(part) if self.is_own_time(part, f.field))
        return inside(day, self.spec.time_range) and all(meets(day, f, None) for f in timely)

    def _totals(self, part: Part, seen: list[Seen]) -> dict[Key, Any]:
        held: dict[Key, list[Row]] = {} if self.spec.group_by else {(): []}
        for s in seen:
            rows = held.setdefault(s.groups, [])
            if not any(r is s.row for r in rows):
                rows.append(s.row)
        return {k: aggregate(part.measure, rows) for k, rows in held.items()}

    def _seen(self, part: Part, row: Row, window: TimeRange | None) -> list[Seen]:
        """The row once per combination of what a bridge leads it to, if it lies in the window."""
        moment = self.own_time(part, row)
        timely = [f for f in self._conditions(part) if self.is_own_time(part, f.field)]
        if self.spec.time_dimension in {None, METRIC_TIME} or part.runs:
            in_window = inside(moment, window)
        else:
            in_window = inside(self.tables.values(part.model, row, self.spec.time_dimension or "")[0][0], window)
        snapshot = part.measure.non_additive is not None
        own = all(meets(moment, f, None) for f in timely)
        if (not in_window or not own) and not snapshot:
            return []
        found = []
        for values in self.joined(part, row):
            kept = all(meets(values[f.field], f, self.tables.dimension(f.field)) for f in self.others(part))
            groups = tuple(self.group(part, g.dimension, g.granularity, moment, values) for g in self.spec.group_by)
            found.append(Seen(row=row, moment=moment if in_window and own else None, groups=groups, kept=kept))
        return found

    def joined(self, part: Part, row: Row | None) -> list[dict[str, Any]]:
        references = {f.field for f in self.others(part)}
        references |= {g.dimension for g in self.spec.group_by if not self.is_own_time(part, g.dimension)}
        single: dict[str, Any] = {}
        several: dict[str, list[Any]] = {}
        for reference in sorted(references):
            values, crosses = self.tables.values(part.model, row, reference)
            if not crosses:
                single[reference] = values[0]
                continue
            if part.measure.agg not in {"count", "count_distinct", "average", "min", "max"}:
                raise NoAnswer("a sum over a bridge")
            several[reference] = values
        count = max((len(v) for v in several.values()), default=1)
        return [single | {r: v[i] for r, v in several.items()} for i in range(count)]

    def group(
        self, part: Part, reference: str, grain: TimeGranularity | None, moment: Moment | None, values: dict[str, Any]
    ) -> Any:
        own = self.is_own_time(part, reference)
        value = moment if own else values[reference]
        if own and self._looks_up_days(part):
            return None if value is None else day_of(value)
        kind = "time" if own else self.tables.dimension(reference).type
        if kind != "time" or value is None:
            return value
        if own and part.offset:
            value = self._later(value, part.offset)
        return start_of(value, grain or TimeGranularity.DAY, self.snapshot.calendar)

    def _later(self, moment: Moment, offset: tuple[int, TimeGranularity]) -> Moment:
        count, unit = offset
        if unit in {"day", "week"}:
            return moment + timedelta(days=count * (7 if unit == "week" else 1))
        return moved(day_of(moment).replace(day=1), count, unit)

    # -- what a part is restricted to

    def _window(self, part: Part) -> TimeRange | None:
        window = self.spec.time_range
        if part.runs:
            return self._reach(part, window.end if window else None)
        if window is None or part.offset is None:
            return window
        if self._looks_up_days(part):
            return None
        count, unit = part.offset
        back = (None if d is None else moved(d, -count, unit) for d in (window.start, window.end))
        start, end = back
        return replace(window, start=start, end=end)

    def _reach(self, part: Part, end: date | None) -> TimeRange:
        """The days whose sum a running metric is at `end` (exclusive)."""
        metric = part.metric
        start = None
        if end is not None and metric.window_count is not None and metric.window_granularity is not None:
            start = moved(end, -metric.window_count, metric.window_granularity)
        if end is not None and metric.grain_to_date is not None:
            start = day_of(start_of(end - timedelta(days=1), metric.grain_to_date, self.snapshot.calendar))
        return TimeRange(start=start, end=end, expr="")

    def _conditions(self, part: Part) -> tuple[Filter, ...]:
        return (*part.filters, *self.spec.where)

    def others(self, part: Part) -> list[Filter]:
        return [f for f in self._conditions(part) if not self.is_own_time(part, f.field)]

    def is_own_time(self, part: Part, reference: str) -> bool:
        return reference in {METRIC_TIME, part.time}

    def own_time(self, part: Part, row: Row) -> Moment | None:
        if not part.time:
            return None
        found: Moment | None = self.tables.values(part.model, row, part.time)[0][0]
        return found

    # -- balances

    def _snapshots(self, part: Part, seen: list[Seen], rule: NonAdditive) -> list[Seen]:
        """Only rows of the last (first) moment of the window, of each period, of each window group."""
        seen = seen if self.fills else [s for s in seen if s.kept]
        best: dict[Key, Moment] = {}
        pick = min if rule.pick == "min" else max
        for s in seen:
            if s.moment is not None:
                key = self._picked_by(part, s, rule)
                best[key] = pick(best[key], s.moment) if key in best else s.moment
        return [s for s in seen if s.moment is not None and best[self._picked_by(part, s, rule)] == s.moment]

    def _picked_by(self, part: Part, seen: Seen, rule: NonAdditive) -> Key:
        model = part.model
        exprs = {p.name: p.expr for p in (*model.entities, *model.dimensions)}
        own = (g for s, g in zip(self.spec.group_by, seen.groups, strict=True) if self.is_own_time(part, s.dimension))
        return (*own, *(cell(seen.row, exprs[name]) for name in rule.window_groupings))

    # -- running sums by period

    def _running(self, part: Part) -> dict[Key, Any]:
        """At the end of each period that has rows: of the period, the window or the data, whichever ends first."""
        place = next(i for i, g in enumerate(self.spec.group_by) if self.is_own_time(part, g.dimension))
        if part.metric.period_agg == "average" and self.spec.group_by[place].granularity not in {None, "day"}:
            return self._averaged(part, place)
        moments = [self.own_time(part, r) for r in self.tables.rows(part.model)]
        days = sorted({day_of(m) for m in moments if m is not None})
        grain = self.spec.group_by[place].granularity or TimeGranularity.DAY
        window = self.spec.time_range
        starts = {day_of(start_of(d, grain, self.snapshot.calendar)) for d in days if inside(d, window)}
        found: dict[Key, Any] = {}
        for start in starts:
            end = start + timedelta(days=1) if part.metric.period_agg == "first" else next_start(start, grain)
            end = min(end, days[-1] + timedelta(days=1), (window and window.end) or date.max)
            reach = self._reach(part, end)
            seen = [s for r in self.tables.rows(part.model) for s in self._seen(part, r, reach)]
            held: dict[Key, list[Row]] = {} if len(self.spec.group_by) > 1 else {(start,): []}
            for s in (s for s in seen if s.kept):
                held.setdefault((*s.groups[:place], start, *s.groups[place + 1 :]), []).append(s.row)
            found |= {k: aggregate(part.measure, rows) if rows else None for k, rows in held.items()}
        return found

    def _averaged(self, part: Part, place: int) -> dict[Key, Any]:
        """The mean over the period's days, from the first day of data and window to the last of both."""
        moments = [self.own_time(part, r) for r in self.tables.rows(part.model)]
        days = sorted({day_of(m) for m in moments if m is not None})
        grain, window = self.spec.group_by[place].granularity or TimeGranularity.DAY, self.spec.time_range
        calendar = self.snapshot.calendar
        starts = {day_of(start_of(d, grain, calendar)) for d in days if inside(d, window)}
        found: dict[Key, Any] = {}
        for start in starts:
            every = [start + timedelta(days=n) for n in range((next_start(start, grain) - start).days)]
            every = [d for d in every if days[0] <= d <= days[-1] and inside(d, window)]
            values: dict[Key, list[Any]] = {} if len(self.spec.group_by) > 1 else {(start,): []}
            for day in every:
                for key, value in self._at_the_end_of(part, day, start, place).items():
                    values.setdefault(key, []).append(value)
            adds = self._counts(part) or self._sums(part)
            for key, held in values.items():
                present = [Decimal(v) for v in held if v is not None]
                count = len(every) if adds else len(present)
                found[key] = sum(present) / Decimal(count) if present else None
        return found

    def _at_the_end_of(self, part: Part, day: date, start: date, place: int) -> dict[Key, Any]:
        reach = self._reach(part, day + timedelta(days=1))
        held: dict[Key, list[Row]] = {}
        for s in (s for r in self.tables.rows(part.model) for s in self._seen(part, r, reach) if s.kept):
            held.setdefault((*s.groups[:place], start, *s.groups[place + 1 :]), []).append(s.row)
        return {k: aggregate(part.measure, rows) for k, rows in held.items()}

    # -- metrics

    def parts(self, given: MetricInput, filters: tuple[Filter, ...] = (), offset: Any = None) -> list[Part]:
        metric = self.metrics[given.metric]
        filters = (*filters, *given.filters, *metric.filters)
        if given.offset_count and given.offset_granularity:
            offset = (given.offset_count, given.offset_granularity)
        if metric.type in {"simple", "cumulative"}:
            model, measure = next((m, x) for m in self.snapshot.models for x in m.measures if x.name == metric.measure)
            return [Part(model, measure, metric, tuple(dict.fromkeys(filters)), offset)]
        inputs = [i for i in (metric.numerator, metric.denominator, *metric.inputs) if i is not None]
        return [p for i in inputs for p in self.parts(i, filters, offset)]

    def rows(self) -> list[Key]:
        """The rows of the answer, unordered: groups, then metrics."""
        names = list(dict.fromkeys((*self.spec.metrics, *(h.metric for h in self.spec.having))))
        every = [p for name in names for p in self.parts(MetricInput(metric=name))]
        found = {self._id(p): self.part(p) for p in every}
        several = self.fills and len({p.scan for p in every}) > 1
        answer = []
        for key in self._keys(every, found):
            values = {}
            for name in names:
                at = {k: v.get(key) for k, v in found.items()}
                values[name] = self._value(MetricInput(metric=name), at, several)
            if all(meets(values[h.metric], Filter(field="", op=h.op, values=h.values), None) for h in self.spec.having):
                answer.append((*key, *(values[n] for n in self.spec.metrics)))
        return answer

    @staticmethod
    def _id(part: Part) -> Key:
        return (*part.scan, part.measure.name)

    def _keys(self, parts: list[Part], found: dict[Key, dict[Key, Any]]) -> set[Key]:
        """The groups of any part; a part that looks back adds no period after the last one that there is."""
        if not self.spec.group_by:
            return {()}
        place = next((i for i, g in enumerate(self.spec.group_by) if g.dimension == METRIC_TIME), None)
        now = {k for p in parts if p.offset is None for k in found[self._id(p)]}
        before = {k for p in parts if p.offset is not None for k in found[self._id(p)]}
        if place is None or not self.fills or all(p.offset is not None for p in parts):
            return now | before
        last = max((k[place] for k in now if k[place] is not None), default=None)
        return now | {k for k in before if last is not None and k[place] is not None and k[place] <= last}

    def _value(self, given: MetricInput, at: dict[Key, Any], several: bool) -> Any:
        parts = self.parts(given)
        metric = self.metrics[given.metric]
        if metric.type in {"simple", "cumulative"}:
            return self._single(parts[0], at, zero=several and self._counts(parts[0]))
        fills = self.fills and len({p.scan for p in parts}) > 1
        sums = [p for p in parts if self._counts(p) or self._sums(p)]
        if fills and sums and all(at[self._id(p)] is None for p in parts):
            return None
        return self._inner(given, (), None, at, fills=fills, several=several)

    def _inner(
        self,
        given: MetricInput,
        filters: tuple[Filter, ...],
        offset: Any,
        at: dict[Key, Any],
        *,
        fills: bool,
        several: bool,
    ) -> Any:
        metric = self.metrics[given.metric]
        inner = (*filters, *given.filters, *metric.filters)
        back = (given.offset_count, given.offset_granularity) if given.offset_count else offset

        def of(part: MetricInput) -> Any:
            return self._inner(part, inner, back, at, fills=fills, several=several)

        if metric.type in {"simple", "cumulative"}:
            part = self.parts(given, filters, offset)[0]
            zero = (fills and (self._counts(part) or self._sums(part))) or (several and self._counts(part))
            return self._single(part, at, zero=zero)
        if metric.numerator is not None and metric.denominator is not None:
            return evaluate("a / b", {"a": of(metric.numerator), "b": of(metric.denominator)})
        return evaluate(metric.expr or "", {i.alias or i.metric: of(i) for i in metric.inputs})

    def _single(self, part: Part, at: dict[Key, Any], *, zero: bool) -> Any:
        value = at[self._id(part)]
        if value is None and part.metric.fill_nulls_with is not None:
            return part.metric.fill_nulls_with
        return 0 if value is None and zero else value

    @staticmethod
    def _counts(part: Part) -> bool:
        return part.measure.agg in {"count", "count_distinct"} and part.offset is None

    @staticmethod
    def _sums(part: Part) -> bool:
        return part.measure.agg in {"sum", "sum_boolean"} and part.offset is None

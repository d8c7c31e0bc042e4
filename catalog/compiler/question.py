"""A QuerySpec with every name resolved: what the sides are built from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from catalog.compiler.plan import default_grain
from catalog.compiler.recount import Reach
from catalog.compiler.references import target_of
from catalog.compiler.refs import coarser
from catalog.compiler.stop import stop
from catalog.compiler.time import own_grain
from catalog.issues import IssueCode
from catalog.lookup import Held, lookup
from catalog.periods import WEEK_START
from catalog.query import GroupBy, QuerySpec
from catalog.timeparts import custom_periods, part_reference
from catalog.types import METRIC_TIME, Calendar, CatalogSnapshot, DatePart, DimensionType, Filter, TimeGranularity


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """One column to group by; `held` is None for METRIC_TIME.  Not `shown`: it only keeps rows apart.

    `custom` is a period that a time spine names; `begins` is the day with which weekdays are put in order.
    """

    alias: str
    reference: str
    held: Held | None
    grain: TimeGranularity | None
    part: DatePart | None = None
    custom: str = ""
    begins: int = 1
    shown: bool = True

    @property
    def is_time(self) -> bool:
        """Whether rows of different groups belong to different times."""
        return self.grain is not None or self.part is not None or bool(self.custom)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The spec over models that are known.  With `reach`, more rows count towards a period than its own."""

    snapshot: CatalogSnapshot
    spec: QuerySpec
    groups: tuple[Group, ...]
    where: tuple[tuple[Filter, Held | None], ...]
    range_on: Held | None
    reach: Reach | None = None

    @property
    def uses_metric_time(self) -> bool:
        """Whether each measure needs a time dimension of its own."""
        bounded = self.spec.time_range is not None and bounds(self.spec) and self.range_on is None
        return bounded or any(g.held is None for g in self.groups) or any(h is None for _, h in self.where)

    @property
    def grouped_by_time(self) -> bool:
        """Whether rows of the result belong to different times."""
        return any(g.is_time for g in self.groups)


def bounds(spec: QuerySpec) -> bool:
    """Whether the spec's time range has an end at all."""
    return spec.time_range is not None and (spec.time_range.start is not None or spec.time_range.end is not None)


def question_of(spec: QuerySpec, snapshot: CatalogSnapshot, models: tuple[str, ...]) -> Question:
    """The spec with its dimensions resolved for rows of all `models`."""
    groups = tuple(_group(snapshot, models, g, _metric_grain(snapshot, spec)) for g in spec.group_by)
    named = {g.dimension for g in spec.group_by}
    keys = (GroupBy(dimension=k) for k in spec.identify_by if k not in named)
    groups = (*groups, *(replace(_group(snapshot, models, k, TimeGranularity.DAY), shown=False) for k in keys))
    names = [*(g.alias for g in groups), *spec.metrics]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice:
        raise stop(
            IssueCode.UNSUPPORTED, f"{twice} would be two columns of one result; ask for it once.", subject=twice
        )
    return Question(
        snapshot=snapshot,
        spec=spec,
        groups=groups,
        where=tuple((f, _held(snapshot, models, f.field)) for f in spec.where),
        range_on=_range_on(snapshot, models, spec),
    )


def _held(snapshot: CatalogSnapshot, models: tuple[str, ...], reference: str) -> Held | None:
    known = lookup(snapshot)
    if reference in known.metrics and reference not in known.dimensions and reference not in known.entities:
        raise stop(
            IssueCode.WRONG_TYPE, f"{reference} is a metric; a condition on it is about the result.", subject=reference
        )
    return None if reference == METRIC_TIME else target_of(snapshot, models, reference)


def _range_on(snapshot: CatalogSnapshot, models: tuple[str, ...], spec: QuerySpec) -> Held | None:
    if spec.time_dimension is None or spec.time_dimension == METRIC_TIME:
        return None
    held = target_of(snapshot, models, spec.time_dimension)
    if held.dimension.type is not DimensionType.TIME:
        raise stop(IssueCode.WRONG_TYPE, f"{spec.time_dimension} is not a time.", subject=spec.time_dimension)
    return held


def _metric_grain(snapshot: CatalogSnapshot, spec: QuerySpec) -> TimeGranularity:
    """The grain of METRIC_TIME where the question names none: the largest of its metrics' own."""
    if not any(g.dimension == METRIC_TIME and not (g.granularity or g.part) for g in spec.group_by):
        return TimeGranularity.DAY
    return reduce(coarser, (default_grain(snapshot, m) for m in spec.metrics), TimeGranularity.NANOSECOND)


def _group(snapshot: CatalogSnapshot, models: tuple[str, ...], given: GroupBy, usual: TimeGranularity) -> Group:
    held = _held(snapshot, models, given.dimension)
    if given.part is not None:
        return _part(given, given.part, held, snapshot.calendar)
    if given.custom:
        return _custom(snapshot, given, held)
    if held is None:
        grain = given.granularity or usual
        return Group(alias=f"{METRIC_TIME}__{grain}", reference=METRIC_TIME, held=None, grain=grain)
    if held.dimension.type is DimensionType.TIME:
        grain = given.granularity or own_grain(held.dimension)
        return Group(alias=f"{given.dimension}__{grain}", reference=given.dimension, held=held, grain=grain)
    if given.granularity is not None:
        message = f"{given.dimension} is not a time; it has no {given.granularity}."
        raise stop(IssueCode.WRONG_TYPE, message, subject=given.dimension)
    return Group(alias=given.dimension, reference=given.dimension, held=held, grain=None)


def _custom(snapshot: CatalogSnapshot, given: GroupBy, held: Held | None) -> Group:
    known = custom_periods(snapshot)
    if given.custom not in known or given.granularity is not None:
        message = f"There is no size of time called {given.custom}."
        raise stop(IssueCode.UNKNOWN_DIMENSION, message, subject=given.custom, choices=known)
    alias = f"{given.dimension}__{given.custom}"
    return Group(alias=alias, reference=given.dimension, held=held, grain=None, custom=given.custom)


def _part(given: GroupBy, part: DatePart, held: Held | None, calendar: Calendar) -> Group:
    if given.granularity is not None:
        message = f"{given.dimension} is asked for by {given.granularity} and by a part of it; keep one."
        raise stop(IssueCode.UNSUPPORTED, message, subject=given.dimension)
    if held is not None and held.dimension.type is not DimensionType.TIME:
        message = f"{given.dimension} is not a time; it has no {part.value.replace('_', ' ')}."
        raise stop(IssueCode.WRONG_TYPE, message, subject=given.dimension)
    kept = own_grain(held.dimension) if held is not None else TimeGranularity.HOUR
    if part is DatePart.HOUR and coarser(kept, TimeGranularity.DAY) is kept:
        message = f"{given.dimension} is kept by {kept}; it has no hour."
        raise stop(IssueCode.GRAIN_TOO_FINE, message, subject=given.dimension)
    alias = part_reference(part, given.dimension)
    # the week of the workspace begins so many days before the ISO Monday
    begins = 8 - WEEK_START.get(calendar.week_start or "", 0) if part is DatePart.DAY_OF_WEEK else 1
    return Group(alias=alias, reference=given.dimension, held=held, grain=None, part=part, begins=begins % 7 or 7)

"""What a question takes over each thing or period: averages, medians and spreads, as the part of a QuerySpec."""

from __future__ import annotations

from dataclasses import replace

from catalog.access import AccessScope
from catalog.adhoc import FIELD
from catalog.calculations import CORRELATION, HISTOGRAM, TAKEN, Taken, TimeRange
from catalog.issues import Issue, unsupported
from catalog.labels import dimension_label
from catalog.lookup import lookup, owner_name
from catalog.periods import first_day, next_first_day
from catalog.query import GroupBy, MetricIntent, Over, QuerySpec, Transform
from catalog.surfaces import plural
from catalog.types import METRIC_TIME, Calendar, CatalogSnapshot, Scalar, TimeGranularity
from catalog.visible import visible_dimensions

GRAIN, ENTITY, PER, DIMENSION = "grain", "entity", "per", "dimension"
"""What a figure is of before something is taken over all of them: a size of period, an entity or a word for one, or
the members of a dimension."""

_ALONE = (
    "What is taken over each {called} is told of one figure, without a comparison, a share or a rank beside it. "
    "Ask for one of the two."
)
_TOGETHER = "A distribution is of all {several} together. Leave out the grouping, or name one member of it."
_NO_WINDOW = "An average per {unit} needs a period with a beginning and an end. Name the one to take it over."
_NONE_WHOLE = "The period holds no whole {unit}, so there is nothing to take over each {unit}. Name a longer one."


def over_in(intent: MetricIntent) -> Transform | None:
    """The transform that takes something over each thing or period, or None."""
    return next((t for t in intent.transforms if t.type in TAKEN), None)


def with_over(
    spec: QuerySpec, intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope
) -> QuerySpec | tuple[Issue, ...]:
    """The spec with what is taken over each thing or period, or why that cannot be; itself where nothing is."""
    transform = over_in(intent)
    if transform is None:
        return spec
    over = _over(transform, intent, snapshot, scope)
    if isinstance(over, Issue):
        return (over,)
    if transform.type == HISTOGRAM and spec.group_by:
        return (unsupported(_TOGETHER.format(several=plural(over.called) or over.called), HISTOGRAM),)
    if len(spec.metrics) != 1 or spec.comparison or spec.calculations or spec.top:
        return (unsupported(_ALONE.format(called=over.called), transform.type),)
    metric = spec.metrics[0]
    keys = {each.dimension for each in over.each}
    return replace(
        spec,
        over=over,
        identify_by=tuple(k for k in spec.identify_by if k not in keys),
        having=tuple(replace(h, metric=_renamed(h.metric, metric, over)) for h in spec.having),
        order_by=tuple(replace(o, by=_renamed(o.by, metric, over)) for o in spec.order_by),
    )


def taken_words(intent: MetricIntent, snapshot: CatalogSnapshot) -> str:
    """What is taken over each thing or period, before the figure's name: "average per customer of"; "" for nothing."""
    transform = over_in(intent)
    if transform is None:
        return ""
    given = dict(transform.arguments)
    called = str(given.get(GRAIN) or given.get(DIMENSION) or _entity(given, snapshot)).split("__")[-1].replace("_", " ")
    return _WORDS[TAKEN[transform.type]].format(called=called, several=plural(called) or called)


_WORDS = {
    Taken.AVERAGE: "average per {called} of",
    Taken.MEDIAN: "median per {called} of",
    Taken.SUMMARY: "how {several} are spread by",
}


def _renamed(name: str, metric: str, over: Over) -> str:
    return over.column(metric) if name == metric else name


def _over(transform: Transform, intent: MetricIntent, snapshot: CatalogSnapshot, scope: AccessScope) -> Over | Issue:
    given, taken = dict(transform.arguments), TAKEN[transform.type]
    if GRAIN in given:
        return _over_periods(TimeGranularity(str(given[GRAIN])), intent, snapshot.calendar, taken)
    if DIMENSION in given:
        return _over_members(str(given[DIMENSION]), snapshot, scope, taken)
    return _over_things(_entity(given, snapshot), snapshot, scope, taken)


def _entity(given: dict[str, Scalar], snapshot: CatalogSnapshot) -> str:
    """The entity that is named, or the one whose rows carry the column."""
    held = lookup(snapshot).held_by(str(given[FIELD])) if FIELD in given else None
    word = owner_name(held.model) if held else str(given.get(ENTITY) or given.get(PER, ""))
    return next((e.name for e in snapshot.entities if word in (e.name, *e.synonyms)), word)


def _over_things(entity: str, snapshot: CatalogSnapshot, scope: AccessScope, taken: Taken) -> Over | Issue:
    info = next((e for e in snapshot.entities if e.name == entity), None)
    key = info.key_dimension if info and info.key_dimension else entity
    words = entity.replace("_", " ")
    if not visible_dimensions(snapshot, scope, key):
        return unsupported(f"The catalog does not say how to tell each {words} apart.", entity)
    return Over(each=(GroupBy(dimension=key),), taken=taken, called=words, counted=f"{entity}_count")


def _over_members(reference: str, snapshot: CatalogSnapshot, scope: AccessScope, taken: Taken) -> Over | Issue:
    held = visible_dimensions(snapshot, scope, reference)
    if not held:
        return unsupported(f"There is no dimension {reference}.", reference)
    words = dimension_label(held[0].dimension).lower()
    return Over(each=(GroupBy(dimension=reference),), taken=taken, called=words, counted=f"{reference}_count")


# -- periods ---------------------------------------------------------------------------------


def _over_periods(unit: TimeGranularity, intent: MetricIntent, calendar: Calendar, taken: Taken) -> Over | Issue:
    window = intent.time_range
    if intent.grain is not None:
        return unsupported(_ALONE.format(called=unit.value), unit.value)
    cut = whole_window(window, unit, calendar)
    if isinstance(cut, Issue):
        return cut
    if cut != window:
        return unsupported(_NONE_WHOLE.format(unit=unit.value), unit.value)
    return Over(
        each=(GroupBy(dimension=METRIC_TIME, granularity=unit),),
        taken=taken,
        called=unit.value,
        counted=f"{unit.value}_count",
        periods=_count(cut, unit),
    )


def period_of(intent: MetricIntent) -> TimeGranularity | None:
    """The size of the periods over which the plan takes something; None where it does not."""
    over = over_in(intent)
    given = dict(over.arguments).get(GRAIN) if over else None
    if given is not None:
        return TimeGranularity(str(given))
    return intent.grain if any(t.type == CORRELATION for t in intent.transforms) else None


def whole_window(window: TimeRange | None, unit: TimeGranularity, calendar: Calendar) -> TimeRange | Issue:
    """The whole periods of that size in the window, or why there are none."""
    if window is None or window.start is None or window.end is None:
        return unsupported(_NO_WINDOW.format(unit=unit.value), unit.value)
    first = first_day(window.start, unit, calendar)
    start = first if first == window.start else next_first_day(first, unit)
    end = first_day(window.end, unit, calendar)
    if start >= end:
        return unsupported(_NONE_WHOLE.format(unit=unit.value), unit.value)
    return (
        window if (start, end) == (window.start, window.end) else replace(window, start=start, end=end, whole_end=None)
    )


def _count(window: TimeRange, unit: TimeGranularity) -> int:
    count, day = 0, window.start
    while day is not None and window.end is not None and day < window.end:
        count, day = count + 1, next_first_day(day, unit)
    return count

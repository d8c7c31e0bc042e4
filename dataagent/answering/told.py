"""What is told of a calculation beside its figures: both windows with their dates, the whole of a share, ties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from catalog.calculated import earlier_of
from catalog.calculations import CORRELATION, PeriodComparison, Share
from catalog.compiler.calculations.shares import overlap_note
from catalog.labels import dimension_label, metric_label, plain, with_capital
from catalog.lookup import lookup, owner_name
from catalog.periods import MONTHS_OF, cut_ends
from catalog.query import MetricIntent, QuerySpec, TimeRange
from catalog.restate import filter_text, range_text
from catalog.shared import is_over_time, shared_over
from catalog.types import CatalogSnapshot, Operator, TimeGranularity
from catalog.windows import Alignment, Earlier
from dataagent.answering.periodnames import as_of
from dataagent.intent.typefilter.elapsed import LOADED_UNTIL
from dataagent.intent.typefilter.exclusions import adds_up_over

_ALIGNED = {
    Alignment.WHOLE: "",
    Alignment.ELAPSED: " These are the same days of the earlier period, as the asked one is not over.",
    Alignment.WEEKDAYS: " These are the same weekdays, 52 weeks earlier.",
    Alignment.DAYS: "",
}
_CORRELATED = (
    "r is Pearson's correlation of the two figures over the periods shown: 1 where they rise and fall together, "
    "0 where they do not, −1 where one rises as the other falls. It says nothing about causes."
)
_AS_LOADED = " These are the same days of the earlier period, as no more of the asked one is loaded."


def calculation_notes(
    intent: MetricIntent, spec: QuerySpec, snapshot: CatalogSnapshot, *, as_of_end: bool = False
) -> tuple[str, ...]:
    """Sentences that say exactly what was calculated from what.

    `as_of_end`: the windows only name the moment of running figures, their last day.
    """
    return tuple(_notes(intent, spec, snapshot, as_of_end=as_of_end))


def _notes(intent: MetricIntent, spec: QuerySpec, snapshot: CatalogSnapshot, *, as_of_end: bool) -> Iterator[str]:
    comparison = spec.comparison
    window = comparison.window if isinstance(comparison, PeriodComparison) else None
    if as_of_end and window is not None and spec.time_range is not None:
        yield f"The figure {as_of(spec.time_range)} is compared with the one {as_of(window)}."
    elif isinstance(comparison, PeriodComparison) and comparison.window is not None and spec.time_range is not None:
        yield _windows(intent, spec.time_range, comparison.window, snapshot)
    elif isinstance(comparison, PeriodComparison):
        unit = comparison.back_granularity.value if comparison.back_granularity else "period"
        back = f"the {unit} before" if comparison.back_count == 1 else f"the one {comparison.back_count} {unit}s before"
        yield f"Each {intent.grain.value if intent.grain else 'period'} is compared with {back}."
        cuts = intent.grain and spec.time_range and cut_ends(spec.time_range, intent.grain, snapshot.calendar)
        if intent.grain is not None and cuts and any(cuts):
            yield f"A {intent.grain.value} that the period cuts is compared with the same days of the earlier one."
        if _loses_days(intent, spec, snapshot):
            yield "Days of the earlier period that the asked one does not have, such as the 31st, are not shown."
    for made in spec.calculations:
        if isinstance(made, Share):
            yield _whole(intent, made, spec, snapshot)
    yield from _own_notes(intent, spec, snapshot)


def _own_notes(intent: MetricIntent, spec: QuerySpec, snapshot: CatalogSnapshot) -> Iterator[str]:
    """What a figure is that no metric of the catalog is."""
    for made in spec.ad_hoc:
        if made.measure is not None:
            entity = owner_name(lookup(snapshot).models[made.model]).replace("_", " ")
            yield f"Every {entity} counts as it is stored, also what the catalog's metrics leave out."
    if any(t.type == CORRELATION for t in intent.transforms):
        yield _CORRELATED


def repeated_notes(spec: QuerySpec | None) -> frozenset[str]:
    """Notes of the compiled query that the sentences here say with more."""
    comparison = spec.comparison if spec else None
    window = comparison.window if isinstance(comparison, PeriodComparison) else None
    return frozenset({f"Each value stands beside that of {range_text(window)}."} if window else ())


def needless_notes(intent: MetricIntent, snapshot: CatalogSnapshot) -> frozenset[str]:
    """Warnings of the compiled query that do not hold: each thing that is counted is in one part of the share only."""
    over = shared_over(intent)
    if over is None or is_over_time(intent):
        return frozenset()
    known = lookup(snapshot).metrics
    apart = (known[m] for m in intent.metrics if m in known and adds_up_over(snapshot, m, over))
    return frozenset(overlap_note(metric_label(m)) for m in apart)


def _windows(intent: MetricIntent, asked: TimeRange, other: TimeRange, snapshot: CatalogSnapshot) -> str:
    found = earlier_of(intent, snapshot)
    said = f"{range_text(asked)} is compared with {range_text(other)}.{_aligned(intent, found)}"
    days, others = _days(asked), _days(other)
    counted = f" That is {days} days against {others}." if days != others else ""
    return f"{said}{counted}"


def _loses_days(intent: MetricIntent, spec: QuerySpec, snapshot: CatalogSnapshot) -> bool:
    """Whether a series by day stands beside a period with more days than the asked one."""
    if intent.comparison is None or intent.comparison.type == "previous_period" or intent.grain is None:
        return False
    found = earlier_of(replace(intent, grain=None), snapshot)
    is_daily = intent.grain not in {*MONTHS_OF, TimeGranularity.WEEK}
    return is_daily and bool(found and spec.time_range and _days(found.window) > _days(spec.time_range))


def _aligned(intent: MetricIntent, found: Earlier | None) -> str:
    if found is None:
        return ""
    loaded = found.alignment is Alignment.ELAPSED and any(d.key == LOADED_UNTIL for d in intent.defaults_used)
    return _AS_LOADED if loaded else _ALIGNED[found.alignment]


def _days(window: TimeRange) -> int:
    if window.start is None or window.end is None:
        return 0
    return (window.end - window.start) // timedelta(days=1)


def _whole(intent: MetricIntent, share: Share, spec: QuerySpec, snapshot: CatalogSnapshot) -> str:
    """The whole of a share with its conditions, and what does not limit it."""
    of = whole_of_share(snapshot, spec, share)
    every = intent.grain.value if is_over_time(intent) and intent.grain else _name(snapshot, shared_over(intent))
    shown = [filter_text(f, snapshot) for f in spec.kept if f.op is not Operator.IS_NOT_NULL]
    picks = f" {with_capital(' and '.join(shown))} only says which parts are shown." if shown else ""
    return f"The whole of a share is {of}, over every {every}.{picks}"


def whole_of_share(snapshot: CatalogSnapshot, spec: QuerySpec, share: Share, when: str = "", seen: str = "") -> str:
    """What a share is a part of: "all net revenue in May 2025", "net revenue of the same region in May 2025".

    `when` is the period in words, `seen` says that the asker sees a part of the rows only.
    """
    held = lookup(snapshot).metrics.get(share.metric)
    label = (metric_label(held) if held else plain(share.metric)).lower()
    within = [_group_name(snapshot, spec, w) for w in share.within]
    same = f" of the same {' and '.join(within)}" if within else ""
    conditions = " and ".join(filter_text(f, snapshot) for f in spec.where)
    limits = f" where {conditions}" if conditions else ""
    every = "" if same or limits or seen else "all "
    return f"{every}{label}{same}{f' {when}' if when else ''}{f' {seen}' if seen else ''}{limits}"


def _group_name(snapshot: CatalogSnapshot, spec: QuerySpec, name: str) -> str:
    grains = (g.granularity.value for g in spec.group_by if g.dimension == name and g.granularity)
    return next(grains, "") or _name(snapshot, name)


def _name(snapshot: CatalogSnapshot, reference: str | None) -> str:
    held = lookup(snapshot).held_by(reference or "")
    return (dimension_label(held.dimension) if held else plain(reference or "")).lower()

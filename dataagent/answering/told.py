"""What is told of a calculation beside its figures: both windows with their dates, the whole of a share, ties."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from catalog.calculated import earlier_of, shared_over
from catalog.calculations import PeriodComparison, RunningTotal, Share
from catalog.labels import dimension_label
from catalog.lookup import lookup
from catalog.query import MetricIntent, QuerySpec, TimeRange
from catalog.restate import range_text
from catalog.types import CatalogSnapshot, TimeGranularity
from catalog.windows import START_OF_WEEK, Alignment

_ALIGNED = {
    Alignment.WHOLE: "",
    Alignment.ELAPSED: " These are the same days of the earlier period, as the asked one is not over.",
    Alignment.WEEKDAYS: " These are the same weekdays, 52 weeks earlier.",
    Alignment.DAYS: "",
}


def calculation_notes(intent: MetricIntent, spec: QuerySpec, snapshot: CatalogSnapshot) -> tuple[str, ...]:
    """Sentences that say exactly what was calculated from what."""
    return tuple(_notes(intent, spec, snapshot))


def _notes(intent: MetricIntent, spec: QuerySpec, snapshot: CatalogSnapshot) -> Iterator[str]:
    comparison = spec.comparison
    if isinstance(comparison, PeriodComparison) and comparison.window is not None and spec.time_range is not None:
        yield _windows(intent, spec.time_range, comparison.window, snapshot)
    elif isinstance(comparison, PeriodComparison):
        unit = comparison.back_granularity.value if comparison.back_granularity else "period"
        back = f"the {unit} before" if comparison.back_count == 1 else f"the one {comparison.back_count} {unit}s before"
        yield f"Each {intent.grain.value if intent.grain else 'period'} is compared with {back}."
        if intent.grain is not None and spec.time_range is not None and _cuts(intent.grain, spec.time_range, snapshot):
            yield f"A {intent.grain.value} that the period cuts is compared with the same days of the earlier one."
    for made in spec.calculations:
        if isinstance(made, Share):
            yield _whole(intent, made, snapshot)
        elif isinstance(made, RunningTotal):
            yield "The running total starts with the first period shown."


def repeated_notes(spec: QuerySpec | None) -> frozenset[str]:
    """Notes of the compiled query that the sentences here say with more."""
    comparison = spec.comparison if spec else None
    window = comparison.window if isinstance(comparison, PeriodComparison) else None
    return frozenset({f"Each value stands beside that of {range_text(window)}."} if window else ())


_FIRST_MONTHS = {
    TimeGranularity.MONTH: range(1, 13),
    TimeGranularity.QUARTER: range(1, 13, 3),
    TimeGranularity.YEAR: range(1, 2),
}


def _cuts(grain: TimeGranularity, window: TimeRange, snapshot: CatalogSnapshot) -> bool:
    """Whether the window begins or ends within a period; judged only where the calendar's own periods are meant."""
    calendar = snapshot.calendar
    own = grain is not TimeGranularity.MONTH and (
        calendar.quarter_basis != "calendar" or calendar.fiscal.start_month != 1
    )
    ends = [day for day in (window.start, window.end) if day is not None]
    if grain is TimeGranularity.WEEK:
        first = START_OF_WEEK.get(calendar.week_start or "")
        return first is not None and any(day.weekday() != first for day in ends)
    months = _FIRST_MONTHS.get(grain)
    return months is not None and not own and any(day.day != 1 or day.month not in months for day in ends)


def _windows(intent: MetricIntent, asked: TimeRange, other: TimeRange, snapshot: CatalogSnapshot) -> str:
    found = earlier_of(intent, snapshot)
    said = f"{range_text(asked)} is compared with {range_text(other)}.{_ALIGNED[found.alignment] if found else ''}"
    days, others = _days(asked), _days(other)
    counted = f" That is {days} days against {others}." if days != others else ""
    return f"{said}{counted}"


def _days(window: TimeRange) -> int:
    if window.start is None or window.end is None:
        return 0
    return (window.end - window.start) // timedelta(days=1)


def _whole(intent: MetricIntent, share: Share, snapshot: CatalogSnapshot) -> str:
    over = shared_over(intent)
    within = [_name(snapshot, w) for w in share.within if w in lookup(snapshot).dimensions]
    within += [intent.grain.value] if intent.grain and len(within) < len(share.within) else []
    every = f"every {_name(snapshot, over)}" if over else "all rows"
    each = f" of the same {' and '.join(within)}" if within else ""
    return f"The whole of a share is {every}{each}, under the other conditions of the question."


def _name(snapshot: CatalogSnapshot, reference: str | None) -> str:
    held = lookup(snapshot).held_by(reference or "")
    return (dimension_label(held.dimension) if held else (reference or "").replace("_", " ")).lower()

"""What a follow-up says of the earlier result, turned into changes of its plan, or stopped where that is not exact."""

from __future__ import annotations

from datetime import date, timedelta

from catalog.query import MetricIntent, TimeRange
from catalog.types import Calendar, CatalogSnapshot
from catalog.windows import whole_months
from dataagent.intent.candidate import Dead
from dataagent.intent.earlier import COUNTS_BACK, months_on, own_period, unit_before
from dataagent.intent.parts import Edit, Part, TimeReading, When
from dataagent.intent.view import is_additive, is_of_own_rows

_BESIDE = ("before", "after")
_UNSORTED = Dead(
    code="unsupported",
    message="It is not clear which earlier rows this is about, or by which figure. Ask for it as a whole.",
)
_NO_TOTAL = Dead(
    code="unsupported",
    message="The figures of the earlier result are not parts of one total. Ask for the figure as a whole.",
)


def continued(part: Part, base: MetricIntent, snapshot: CatalogSnapshot, today: date) -> Part | Dead:
    """The fragment in terms of the earlier plan: a period, a change of its groups, or the reason to stop."""
    if not isinstance(part, Edit):
        return part
    op, _, unit = part.op.partition(":")
    if op in _BESIDE:
        return _beside(base, unit, snapshot.calendar, today, back=op == "before")
    rows = len(base.dimensions) + (base.grain is not None and op != "reorder")
    if op in {"reorder", "pick", "pick_thing"} and not (_one_figure(base) and (rows == 1 or op == "pick_thing")):
        return _UNSORTED
    if op == "whole":
        return Edit(op="drop_groups") if _adds_up(base, snapshot) else _NO_TOTAL
    return part


def _one_figure(base: MetricIntent) -> bool:
    """Whether the plan shows one figure as it is, of all of its rows."""
    shaped = base.limit or base.per_group or base.comparison or base.transforms
    return len(base.metrics) == 1 and not shaped


def _adds_up(base: MetricIntent, snapshot: CatalogSnapshot) -> bool:
    """Whether the rows have a total that is the same figure of everything that they are about."""
    counted = all(is_additive(snapshot, m) and is_of_own_rows(snapshot, m) for m in base.metrics)
    return bool(base.dimensions or base.grain) and _one_figure(base) and not base.having and counted


def _beside(base: MetricIntent, unit: str, calendar: Calendar, today: date, *, back: bool) -> Part | Dead:
    """The period right before or after the earlier one, of its own length."""
    held = own_period(base)
    if held is None or held.start is None or held.end is None:
        return COUNTS_BACK
    own = next((u for u in _UNITS if unit_before(held, u, calendar) is not None), "")
    if unit not in {"", own}:
        return COUNTS_BACK
    months, days = whole_months(held), _DAYS.get(own, 0)
    if not days and not months:
        return COUNTS_BACK
    start, end = (_moved(d, months, days, back=back) for d in (held.start, held.end))
    window = TimeRange(start=start, end=end, expr=f"{own or 'period'}_of_{start.isoformat()}")
    return When(reading=TimeReading(range=window, future=start > today))


_UNITS = ("year", "quarter", "month", "week", "day")
_DAYS = {"week": 7, "day": 1}


def _moved(day: date, months: int, days: int, *, back: bool) -> date:
    """The day so many days or else months earlier, or later."""
    way = -1 if back else 1
    return day + timedelta(days=way * days) if days else months_on(day, way * months)

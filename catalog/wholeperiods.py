"""A plan that takes something over periods, over the whole ones of its window."""

from __future__ import annotations

from dataclasses import replace

from catalog.issues import Issue
from catalog.overs import period_of, whole_window
from catalog.query import Default, MetricIntent
from catalog.restate import range_text
from catalog.surfaces import plural
from catalog.types import Calendar

WHOLE_PERIODS = "whole_periods"
"""The default that tells that a window was cut to the whole periods in it."""

_OVERTAKEN = frozenset({WHOLE_PERIODS, "to_date", "unfinished_period"})
"""Defaults that tell of an end that the window has no longer."""


def whole_periods(intent: MetricIntent, calendar: Calendar) -> MetricIntent:
    """The plan over the whole periods of its window only, and that told, where it takes something over periods.

    The plan itself where all of its periods are whole, and where none is: then it cannot be computed.
    """
    unit = period_of(intent)
    cut = whole_window(intent.time_range, unit, calendar) if unit is not None else None
    if unit is None or cut is None or isinstance(cut, Issue) or cut == intent.time_range:
        return intent
    text = f"Only whole {plural(unit.value)} count: {range_text(cut)}."
    told = Default(key=WHOLE_PERIODS, value=range_text(cut), text=text)
    others = tuple(d for d in intent.defaults_used if d.key not in _OVERTAKEN)
    return replace(intent, time_range=cut, defaults_used=(*others, told))

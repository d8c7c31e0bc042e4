"""How far the data reach decides a comparison: both periods are cut there, so that equally many days are loaded."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from catalog.calculated import against_all, cut_alike
from catalog.overs import period_of
from catalog.query import Default, MetricIntent
from catalog.restate import day_text
from catalog.types import Calendar
from catalog.wholeperiods import whole_periods
from dataagent.answering.types import DataState
from dataagent.intent.typefilter.elapsed import LOADED_UNTIL


def cut_where_loaded(intent: MetricIntent, states: tuple[DataState, ...]) -> MetricIntent:
    """The plan of a comparison with both periods cut after the last day loaded, and that told.

    The plan itself where it compares no periods, where all of the asked one is loaded, or none of it.
    """
    reach = [s.complete_until for s in states if s.complete_until is not None]
    if not reach:
        return intent
    until = min(reach).date()
    cut = cut_alike(_bounded(intent, until), until)
    if cut.time_range == intent.time_range:
        return intent
    last = day_text(until - timedelta(days=1))
    which = "The asked period is" if against_all(cut) else "Both periods are"
    text = f"{which} cut after {last}, the last day that is loaded."
    told = Default(key=LOADED_UNTIL, value=until.isoformat(), text=text)
    return replace(cut, defaults_used=(*cut.defaults_used, told))


def whole_where_loaded(intent: MetricIntent, states: tuple[DataState, ...], calendar: Calendar) -> MetricIntent:
    """The plan over whole loaded periods only, where it takes something over periods; else the plan itself."""
    window = intent.time_range
    if period_of(intent) is None or window is None:
        return intent
    until = min((s.complete_until.date() for s in states if s.complete_until is not None), default=None)
    if until is not None and window.end is not None and until < window.end:
        intent = replace(intent, time_range=replace(window, end=until, whole_end=None))
    return whole_periods(intent, calendar)


def _bounded(intent: MetricIntent, until: date) -> MetricIntent:
    """A series of periods that are compared ends with what is loaded: its last one is as short as what it stands by."""
    given, window = intent.comparison, intent.time_range
    if given is None or given.type == "values" or intent.grain is None or window is None or window.end is not None:
        return intent
    if window.start is not None and window.start >= until:
        return intent
    return replace(intent, time_range=replace(window, end=until))

"""A sentence after the question that says which columns are wanted: nothing new may be grouped by in it."""

from __future__ import annotations

from dataclasses import replace

from catalog.types import TimeGranularity
from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Metrics, Part, Ref, Shown

Parts = tuple[Part, ...]


def column(_its: str | None, _det: str | None, ref: Ref) -> Parts:
    """ "the specialty"."""
    return (Shown(refs=(ref,)),)


def period(_its: str | None, _det: str | None, grain: TimeGranularity) -> Parts:
    """ "the month"."""
    return (Shown(grain=grain),)


def figure(_its: str | None, metrics: Metrics) -> Parts:
    """ "their total amount", "number of doctors"."""
    return (replace(metrics, scalar=False, shown=True),)


def listed(first: Parts, _and: str, rest: Parts) -> Parts:
    """Columns in order."""
    return (*first, *rest)


def shown(_stop: str, _show: str, columns: Parts, _end: str | None) -> Parts:
    """ ". Return the specialty and number of doctors."."""
    return columns


RULES: tuple[Rule, ...] = (
    *rules("Col", "ITS? DET? D/E", column),
    *rules("Col", "ITS? DET? GW", period),
    *rules("Col", "ITS? Met/Cnt", figure),
    *rules("Cols", "Col", lambda c: c),
    *rules("Cols", "Col AND Cols", listed),
    *rules("Z", "STOP SHOWN Cols STOP?", shown),
)

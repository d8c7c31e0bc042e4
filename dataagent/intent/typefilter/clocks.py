"""Hours and what comes back in time: only where the metrics' own times tell it."""

from __future__ import annotations

from catalog.timeparts import time_words, timed_group
from catalog.types import DatePart, TimeGranularity
from dataagent.intent.typefilter.pieces import Focus
from dataagent.intent.view import finest_of, is_of_own_rows, shown

_SIZES = tuple(TimeGranularity)


def without_grain(grain: TimeGranularity, focus: Focus) -> str:
    """Why the metrics have no periods that small, with those that they have; empty where they have."""
    for name in focus.metrics:
        kept = finest_of(focus.setting.snapshot, name)
        if kept is not None and _SIZES.index(grain) < _SIZES.index(kept) and not _unsaid(focus):
            return f"{shown(name).capitalize()} is kept by {kept}, so it has no {grain}. Ask by {kept} or longer."
    return ""


def without_part(reference: str, focus: Focus) -> str:
    """Why the metrics cannot be told by what comes back in time; empty where they can, or for another dimension."""
    group = timed_group(reference)
    if group is None or group.part is None:
        return ""
    if group.part is DatePart.HOUR and (missing := without_grain(TimeGranularity.HOUR, focus)):
        return missing
    more = next((m for m in focus.metrics if not is_of_own_rows(focus.setting.snapshot, m)), None)
    what = f"is of one moment or of several days: it has no {time_words(reference)}."
    return f"{shown(more).capitalize()} {what}" if more else ""


def _unsaid(focus: Focus) -> bool:
    """Whether the catalog is a vocabulary alone, which does not say how its times are kept."""
    return focus.setting.scope.without_warehouse

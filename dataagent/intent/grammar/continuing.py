"""Follow-ups about what the turn before showed: the period beside it, its order, which of its rows stands out."""

from __future__ import annotations

from catalog.types import TimeGranularity
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import Edit, Grain, Part, Ranked, Ref, Sense

Parts = tuple[Part, ...]


def beside(op: str) -> Build:
    """A builder of "the month before", "the one after": the unit, or "" for one as long as the earlier period."""
    return lambda _the, unit, _side: (Edit(op=f"{op}:{unit.value if isinstance(unit, TimeGranularity) else ''}"),)


def named_beside(op: str) -> Build:
    """A builder of "the following month"."""
    return lambda _side, grain: (Edit(op=f"{op}:{grain.value}"),)


def sorted_anew(_sort: str, sense: Sense) -> Parts:
    """ "sort ascending": by the figure that is shown."""
    return (Edit(op="reorder"), Ranked(sense=sense, ask="order"))


def stands_out(_which: str, _is: str, _det: str | None, sense: Sense) -> Parts:
    """ "which one is the lowest": of the rows that are shown."""
    return (Edit(op="pick"), Ranked(sense=sense, single=True))


def thing_stands_out(_which: str, things: Ref, _is: str, _det: str | None, sense: Sense) -> Parts:
    """ "which region had the most": of these things, by the earlier figure."""
    return (Edit(op="pick_thing"), Ranked(sense=sense, things=things, single=True))


def period_stands_out(_which: str, grain: TimeGranularity, _is: str, _det: str | None, sense: Sense) -> Parts:
    """ "which month was the best"."""
    return (Edit(op="pick_thing"), Grain(grain=grain), Ranked(sense=sense, single=True))


RULES: tuple[Rule, ...] = (
    *rules("X", "THEWORD GW/ONEWORD BEFOREIT", beside("before")),
    *rules("X", "THEWORD GW/ONEWORD AFTERIT", beside("after")),
    *rules("X", "FOLLOWING GW", named_beside("after")),
    *rules("X", "PRECEDING GW", named_beside("before")),
    *rules("X", "PREVIOUSONE", lambda _word: (Edit(op="before:"),)),
    *rules("X", "SORTIT Ord", sorted_anew),
    *rules("X", "WHICHONE ISHAD DET? Sense", stands_out),
    *rules("X", "WHICH E/D ISHAD DET? Sense", thing_stands_out),
    *rules("X", "WHICH GW ISHAD DET? Sense", period_stands_out),
    *rules("X", "INTOTAL", lambda _word: (Edit(op="whole"),)),
)

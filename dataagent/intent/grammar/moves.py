"""Changes asked for with a verb ("did net revenue grow in March"), shares said behind a series, and ranks."""

from __future__ import annotations

from catalog.specs import SOME
from catalog.types import TimeGranularity
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import (
    Calculated,
    Compared,
    Grain,
    Groups,
    Metrics,
    Open,
    Part,
    Ranked,
    Ref,
    Sense,
    TimeReading,
)

Parts = tuple[Part, ...]


def moved(asked: str) -> Build:
    """A builder of "did net revenue grow": up or down, against the period before unless another is named."""

    def build(_did: str, metrics: Metrics, _verb: str) -> Parts | None:
        if len(metrics.refs) != 1 or metrics.count:
            return None
        return (metrics, Calculated(type="direction", arguments=(("asked", asked),)))

    return build


def moved_each(asked: str) -> Build:
    """A builder of "did net revenue grow every month": each period against the one before."""

    def build(did: str, metrics: Metrics, verb: str, _each: str, grain: TimeGranularity) -> Parts | None:
        found = moved(asked)(did, metrics, verb)
        return (*found, Grain(grain=grain)) if found else None

    return build


def moved_in(asked: str, *, some: bool) -> Build:
    """A builder of "did net revenue grow in any region", or in every one."""

    def build(did: str, metrics: Metrics, verb: str, _in: str, things: Ref) -> Parts | None:
        return _of_each(metrics, things, asked, some=some) if moved(asked)(did, metrics, verb) else None

    return build


def all_moved(asked: str, *, some: bool) -> Build:
    """A builder of "did every region grow in net revenue"; without a metric it is asked for."""

    def build(
        _did: str, things: Ref, _verb: str, _in: str | None = None, metrics: Metrics | None = None
    ) -> Parts | None:
        if metrics is not None:
            return _of_each(metrics, things, asked, some=some)
        return (Groups(refs=(things,)), _direction(asked, some=some), Open(slot="metric", word=""))

    return build


def _of_each(metrics: Metrics, things: Ref, asked: str, *, some: bool) -> Parts | None:
    if len(metrics.refs) != 1 or metrics.count:
        return None
    return (metrics, Groups(refs=(things,)), _direction(asked, some=some))


def _direction(asked: str, *, some: bool) -> Calculated:
    arguments = (("asked", asked), (SOME, True)) if some else (("asked", asked),)
    return Calculated(type="direction", arguments=arguments)


def changed(_how: str, metrics: Metrics, _verb: str) -> Parts | None:
    """ "how did net revenue change", "by how much did orders grow": the change itself."""
    if len(metrics.refs) != 1 or metrics.count:
        return None
    return (metrics, Calculated(type="direction", arguments=(("asked", ""),)))


def compared(_compare: str, metrics: Metrics, time: Parts, _to: str, _det: str | None, base: TimeReading) -> Parts:
    """ "compare orders in May 2025 with May 2024"."""
    return (metrics, *time, Compared(type="", base=base))


def as_share(_share: str) -> Parts:
    """ "as a share of the total": over the grouping that stands with it."""
    return (Calculated(type="share_of_total"),)


def ranked(
    _rank: str, _det: str | None, things: Ref, _by: str, _the: str | None, ref: Ref, order: Sense | None
) -> Parts:
    """ "rank regions by net revenue": every one of them with its place."""
    sense = order or Sense.HIGH
    return (Metrics(refs=(ref,)), Ranked(sense=sense, things=things, by=ref, ask="rank"))


def _of_things() -> tuple[Rule, ...]:
    """Whether each, or any, of several things rose or fell."""
    found: list[Rule] = []
    for verb, asked in (("RISE", "up"), ("SINK", "down")):
        found += rules("H", f"DIDWORD Met {verb} INALL E/D", moved_in(asked, some=False))
        found += rules("H", f"DIDWORD Met {verb} INANY E/D", moved_in(asked, some=True))
        for did, some in (("DOALL", False), ("DIDANY", True)):
            found += rules("H", f"{did} E/D {verb}", all_moved(asked, some=some))
            found += rules("H", f"{did} E/D {verb} INWORD? Met", all_moved(asked, some=some))
    return tuple(found)


RULES: tuple[Rule, ...] = (
    *_of_things(),
    *rules("H", "DIDWORD Met RISE", moved("up")),
    *rules("H", "DIDWORD Met SINK", moved("down")),
    *rules("H", "DIDWORD Met RISE EVERYONE GW", moved_each("up")),
    *rules("H", "DIDWORD Met SINK EVERYONE GW", moved_each("down")),
    *rules("H", "HOWDID Met CHANGEVERB/RISE/SINK", changed),
    *rules("H", "COMPARE Met Tm TO DET? T", compared),
    *rules("P", "ASSHARE", as_share),
    *rules("H", "RANK DET? E/D ORDERBY DET? M Ord?", ranked),
)

"""Yes / no questions about a change ("did net revenue grow in March"), and ranks."""

from __future__ import annotations

from catalog.types import TimeGranularity
from dataagent.intent.chart import Build, Rule, rules
from dataagent.intent.parts import Calculated, Grain, Metrics, Part, Ranked, Ref, Sense

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


def ranked(
    _rank: str, _det: str | None, things: Ref, _by: str, _the: str | None, ref: Ref, order: Sense | None
) -> Parts:
    """ "rank regions by net revenue": every one of them with its place."""
    sense = order or Sense.HIGH
    return (Metrics(refs=(ref,)), Ranked(sense=sense, things=things, by=ref, ask="rank"))


RULES: tuple[Rule, ...] = (
    *rules("H", "DIDWORD Met RISE", moved("up")),
    *rules("H", "DIDWORD Met SINK", moved("down")),
    *rules("H", "DIDWORD Met RISE EVERYONE GW", moved_each("up")),
    *rules("H", "DIDWORD Met SINK EVERYONE GW", moved_each("down")),
    *rules("H", "RANK DET? E/D ORDERBY DET? M Ord?", ranked),
)

"""Funnels: how many go on from one step of a metric to the next."""

from __future__ import annotations

from dataagent.intent.chart import Rule, rules
from dataagent.intent.funnelsteps import Step
from dataagent.intent.parts import Calculated, Metrics, Part, Ref
from dataagent.intent.types import BoundTo

Parts = tuple[Part, ...]


def _between(first: Step, last: Step) -> Parts | None:
    """The steps from the one to the other, of the metric that leads through both; None where it does not."""
    if first.metric != last.metric or first.place >= last.place:
        return None
    steps = ",".join(first.steps[first.place : last.place + 1])
    ref = Ref(kind=BoundTo.METRIC, targets=(first.metric,), surface=first.words)
    return (Metrics(refs=(ref,)), Calculated(type="funnel", arguments=(("steps", steps),)))


def named(_det: str | None, first: Step, _to: str, last: Step, _funnel: str) -> Parts | None:
    """ "session to order funnel"."""
    return _between(first, last)


def along(_det: str | None, _funnel: str, _from: str, first: Step, _to: str, last: Step) -> Parts | None:
    """ "funnel from sessions to orders", "drop-off between add to cart and checkout"."""
    return _between(first, last)


RULES: tuple[Rule, ...] = (
    *rules("H", "DET? ST FROMTO ST FUNNEL", named),
    *rules("H", "DET? FUNNEL FUNNELFROM ST FROMTO ST", along),
)

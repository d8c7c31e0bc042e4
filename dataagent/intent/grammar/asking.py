"""Yes / no questions and questions about the catalog itself."""

from __future__ import annotations

from catalog.types import Operator
from dataagent.intent.chart import Rule, rules
from dataagent.intent.parts import Condition, Measured, Metrics, Number, Open, Part, Ref, Truth, ValueRef

Parts = tuple[Part, ...]
_NONE = (Number(value=0),)


def any_of(_did: str, values: tuple[ValueRef, ...] | None, ref: Ref) -> Parts:
    """ "did we have any urgent tickets": whether the count is above nought."""
    positive = Measured(op=Operator.GT, numbers=_NONE, ref=ref)
    condition = (Condition(values=values),) if values else ()
    return (Metrics(refs=(ref,), count=True), *condition, positive, Truth(kind="exists"))


def is_beyond(_be: str, _det: str | None, ref: Ref, limits: tuple[Operator, tuple[Number, ...]]) -> Parts:
    """ "is our csat higher than 90%"."""
    return (Metrics(refs=(ref,)), Measured(op=limits[0], numbers=limits[1], ref=ref), Truth())


def growth(metrics: Metrics, _word: str) -> Parts:
    """ "net revenue growth": of what against what is open."""
    return (metrics, Open(slot="base", word="growth", dropped=True))


def of_growth(word: str, metrics: Metrics) -> Parts | None:
    """ "growth of net revenue"; "growing net revenue" would be one of those that grow."""
    return None if word.split(maxsplit=1)[0].endswith("ing") else growth(metrics, "")


def is_growing(_be: str, metrics: Metrics, _word: str) -> Parts:
    """ "is net revenue growing"."""
    return growth(metrics, "")


def vague(word: str, metrics: Metrics) -> Parts:
    """ "large orders": how large is open."""
    return (metrics, Open(slot="threshold", word=word, dropped=True))


def no_metric(_det: str | None, word: str) -> Parts:
    """ "performance": no metric is named."""
    return (Open(slot="metric", word=word),)


RULES: tuple[Rule, ...] = (
    *rules("H", "DIDANY VL? M", any_of),
    *rules("H", "WEIGHT DET? M Lim", is_beyond),
    *rules("H", "Met GROWTH", growth),
    *rules("H", "GROWTH Met", of_growth),
    *rules("H", "WEIGHT Met GROWTH", is_growing),
    *rules("H", "VAGUE Met", vague),
    *rules("H", "DET? MISSING", no_metric),
)

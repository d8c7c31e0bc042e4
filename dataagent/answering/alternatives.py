"""A refusal that helps: permitted metrics of the same kind, in the same question, as another figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from catalog.access import AccessScope
from catalog.reach import inputs_of, models_of_metric
from catalog.types import CatalogSnapshot, Metric
from dataagent.intent.types import Decision, Option, Understanding

LIMIT = 3


def alternatives(
    question: str,
    denied: str,
    snapshot: CatalogSnapshot,
    scope: AccessScope,
    understands: Callable[[str], Understanding],
) -> tuple[Option, ...]:
    """At most three: the question with a permitted metric in place of `denied`, each read back as an answer.

    The nearest first: same unit and tables; never one that the question asks for already.
    `detail` is the alternative's own definition; nothing is said about the denied metric
    that the question did not say.
    """
    metric = next((m for m in snapshot.metrics if m.name == denied), None)
    named = _named(question, metric) if metric else ""
    if metric is None or not named:
        return ()
    rest = _replaced(question, named, " ")
    found: list[Option] = []
    for other in _nearest(metric, snapshot, scope):
        if _named(rest, other):
            continue
        asked = _replaced(question, named, _words(other))
        if understands(asked).decision is Decision.ANSWER:
            found.append(Option(label=_words(other), question=asked, intent=None, detail=_detail(other)))
        if len(found) == LIMIT:
            break
    return tuple(found)


def _nearest(denied: Metric, snapshot: CatalogSnapshot, scope: AccessScope) -> Iterator[Metric]:
    tables = {m.name for m in models_of_metric(snapshot, denied.name)}
    alike = [
        m
        for m in snapshot.metrics
        if scope.may_use_metric(m.name)
        and (m.format, m.unit) == (denied.format, denied.unit)
        and tables & {model.name for model in models_of_metric(snapshot, m.name)}
    ]
    inner = set(inputs_of(denied))
    return iter(sorted(alike, key=lambda m: m.name not in inner))


def _named(question: str, metric: Metric) -> str:
    """The longest of the metric's names that stands in the question."""
    folded = question.casefold()
    names = (metric.label, metric.name, metric.name.replace("_", " "), *metric.synonyms)
    return max((n for n in names if n and n.casefold() in folded), key=len, default="")


def _replaced(question: str, named: str, words: str) -> str:
    at = question.casefold().index(named.casefold())
    return f"{question[:at]}{words}{question[at + len(named) :]}"


def _words(metric: Metric) -> str:
    return metric.name.replace("_", " ")


def _detail(metric: Metric) -> str:
    owner = f" Owned by {metric.owner.replace('_', ' ')}." if metric.owner else ""
    return f"A different figure: {metric.description.rstrip('.') or metric.label}.{owner}"

"""Asking back: two to four complete plans in catalog words, each read back before it is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from catalog.query import MetricIntent, Order
from dataagent.intent.candidate import Opening, Slot
from dataagent.intent.decide import Verdict, canonical
from dataagent.intent.parts import Sense
from dataagent.intent.typefilter.pieces import Setting
from dataagent.intent.typefilter.ranks import OPEN_SENSE, direction_of
from dataagent.intent.types import Decision, Option, Understanding
from dataagent.intent.view import is_additive, reach_of, shown
from dataagent.intent.words import period_words, phrase_of

MAX_OPTIONS = 4

_PROMPTS = {
    Slot.METRIC: "Which metric do you mean{by}?",
    Slot.DIMENSION: "Which one do you mean{by}?",
    Slot.VALUE: "Where is{by} to be looked for?",
    Slot.TIME: "Which period do you mean{by}?",
    Slot.RANKING: "Ranked by what{by}?",
    Slot.THRESHOLD: "Where is the line for{by}?",
    Slot.BASE: "Compared with which period{by}?",
    Slot.SCOPE: "What does{by} belong to?",
}


def ask(verdict: Verdict, setting: Setting) -> Understanding:
    """The question back, with its options."""
    opening = verdict.opening or Opening(
        slot=Slot.SCOPE, word="", plans=tuple(c.intent for c in verdict.rivals[:MAX_OPTIONS])
    )
    plans = opening.plans or proposals(opening, verdict.rivals[0].intent, setting)
    options = tuple(_option(p, opening, setting) for p in distinct(plans)[:MAX_OPTIONS])
    by = f" by “{opening.word}”" if opening.word else ""
    if opening.slot in {Slot.VALUE, Slot.THRESHOLD, Slot.SCOPE}:
        by = f" “{opening.word}”" if opening.word else " this"
    prompt = _PROMPTS[opening.slot].format(by=by)
    return Understanding(decision=Decision.CLARIFY, prompt=prompt, options=options)


def distinct(plans: tuple[MetricIntent, ...]) -> tuple[MetricIntent, ...]:
    """The plans without those that mean the same."""
    return tuple({canonical(p): p for p in plans}.values())


def _option(plan: MetricIntent, opening: Opening, setting: Setting) -> Option:
    text = phrase_of(plan, setting.snapshot)
    return Option(label=_label(plan, opening, text), question=text, intent=plan)


def _label(plan: MetricIntent, opening: Opening, text: str) -> str:
    if opening.slot is Slot.METRIC and plan.metrics:
        return " and ".join(shown(m) for m in plan.metrics)
    if opening.slot is Slot.TIME and plan.time_range is not None:
        return period_words(plan.time_range) or text
    return text


def proposals(opening: Opening, start: MetricIntent, setting: Setting) -> tuple[MetricIntent, ...]:
    """Complete plans for a slot that nothing in the question fills."""
    maker = _MAKERS.get(opening.slot)
    return maker(start, setting) if maker else (start,)


def _by_metric(start: MetricIntent, setting: Setting) -> tuple[MetricIntent, ...]:
    """The plan with each metric that fits its dimensions and conditions, the loosely named ones first."""
    used = {*start.dimensions, *(f.field for f in start.filters)}
    fitting = [m for m in likely_metrics(setting) if used <= reach_of(setting.snapshot, (m,))]
    plans = tuple(_measured(start, m, setting) for m in fitting)
    return tuple(p for p in plans if p is not None)[:MAX_OPTIONS]


def _measured(start: MetricIntent, metric: str, setting: Setting) -> MetricIntent | None:
    """The plan about this metric, an open ranking turned its way; None where "best" has no direction."""
    orders: list[Order] = []
    for order in start.order:
        direction = order.direction
        if order.by.startswith(OPEN_SENSE):
            found = direction_of(Sense(order.by.removeprefix(OPEN_SENSE)), metric, setting.snapshot)
            if found is None:
                return None
            direction = found
        orders.append(Order(by=metric, direction=direction))
    return replace(start, metrics=(metric,), order=tuple(orders))


def likely_metrics(setting: Setting) -> tuple[str, ...]:
    """Permitted metrics, first those that the catalog declares as what loose words mean."""
    names = [m.name for m in setting.snapshot.metrics if setting.permitted(m.name)]
    votes: dict[str, int] = {}
    for term in setting.snapshot.ambiguous_terms:
        for candidate in term.candidates:
            votes[candidate] = votes.get(candidate, 0) + 1
    return tuple(sorted(names, key=lambda n: (-votes.get(n, 0), not is_additive(setting.snapshot, n))))


_MAKERS: dict[Slot, Callable[[MetricIntent, Setting], tuple[MetricIntent, ...]]] = {
    Slot.METRIC: _by_metric,
    Slot.RANKING: _by_metric,
}

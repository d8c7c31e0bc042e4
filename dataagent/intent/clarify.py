"""Asking back: two to four complete plans in catalog words, each read back before it is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from catalog.query import Comparison, MetricIntent, Order
from dataagent.intent.candidate import Opening, Slot
from dataagent.intent.decide import Verdict, canonical
from dataagent.intent.parts import Sense
from dataagent.intent.timex import read
from dataagent.intent.typefilter.periods import silent_period
from dataagent.intent.typefilter.pieces import Focus, Setting
from dataagent.intent.typefilter.ranks import OPEN_SENSE, direction_of
from dataagent.intent.types import Decision, Option, Understanding
from dataagent.intent.view import entity_of_metric, reach_of, shown
from dataagent.intent.words import period_words, phrase_of

MAX_OPTIONS = 4

Reads = Callable[[str], MetricIntent | None]
"""Reads a rewording to its plan, or None when it is not answered."""

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


def ask(verdict: Verdict, setting: Setting, reads: Reads) -> Understanding:
    """The question back, with its options; `reads` reads a rewording, which counts only if it yields the plan."""
    opening = verdict.opening or Opening(
        slot=Slot.SCOPE, word="", plans=tuple(c.intent for c in verdict.rivals[:MAX_OPTIONS])
    )
    plans = opening.plans or proposals(opening, verdict.rivals[0].intent, setting)
    offered = tuple(_option(p, opening, setting, reads) for p in distinct(plans)[:MAX_OPTIONS])
    said = tuple(o for o in offered if o.question)
    options = said if len(said) > 1 else offered
    by = f" by “{opening.word}”" if opening.word else ""
    if opening.slot in {Slot.VALUE, Slot.THRESHOLD, Slot.SCOPE}:
        by = f" “{opening.word}”" if opening.word else " this"
    prompt = _PROMPTS[opening.slot].format(by=by)
    return Understanding(decision=Decision.CLARIFY, prompt=prompt, options=options)


def distinct(plans: tuple[MetricIntent, ...]) -> tuple[MetricIntent, ...]:
    """The plans without those that mean the same."""
    return tuple({canonical(p): p for p in plans}.values())


def _option(plan: MetricIntent, opening: Opening, setting: Setting, reads: Reads) -> Option:
    """The plan with a question that means exactly it; without one where no wording is read back as the plan."""
    text = phrase_of(plan, setting.snapshot)
    again = reads(text)
    question = text if again is not None and canonical(again) == canonical(plan) else ""
    return Option(label=_label(plan, opening, text), question=question, intent=plan)


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
    plan = replace(start, metrics=(metric,), order=tuple(orders))
    if plan.time_range is not None:
        return plan
    window, default = silent_period(focus_on(setting, (metric,)))
    return replace(plan, time_range=window, defaults_used=(*plan.defaults_used, default))


def focus_on(setting: Setting, metrics: tuple[str, ...]) -> Focus:
    """The focus of a plan about these metrics."""
    entity = entity_of_metric(setting.snapshot, metrics[0])
    reach = setting.seen(reach_of(setting.snapshot, metrics))
    return Focus(setting=setting, metrics=metrics, entity=entity, reach=reach)


def _by_base(start: MetricIntent, setting: Setting) -> tuple[MetricIntent, ...]:
    """The last full week, month or year, each against the one before; a named period keeps its place."""
    named = start.time_range is not None and start.time_range.start is not None
    if named:
        kinds = ("previous_period", "year_ago")
        return tuple(replace(start, comparison=Comparison(type=kind, calc=("diff", "pct"))) for kind in kinds)
    plans = []
    for unit in ("week", "month", "year"):
        reading = read(f"last {unit}", setting.snapshot.calendar, setting.today)
        if reading is not None:
            compared = Comparison(type="previous_period", calc=("diff", "pct"))
            plans.append(replace(start, time_range=reading.range, comparison=compared, defaults_used=()))
    return tuple(plans)


def likely_metrics(setting: Setting) -> tuple[str, ...]:
    """Permitted metrics, first those that the catalog declares as what loose words mean, in its order."""
    loose = [c for term in setting.snapshot.ambiguous_terms for c in term.candidates]
    names = [m.name for m in setting.snapshot.metrics]
    ordered = dict.fromkeys((*(c for c in loose if c in names), *names))
    return tuple(n for n in ordered if setting.permitted(n))


_MAKERS: dict[Slot, Callable[[MetricIntent, Setting], tuple[MetricIntent, ...]]] = {
    Slot.METRIC: _by_metric,
    Slot.RANKING: _by_metric,
    Slot.BASE: _by_base,
}

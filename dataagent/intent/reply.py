"""Answers to a pending clarification: a choice among its options, perhaps refined at once."""

from __future__ import annotations

from dataclasses import replace

from catalog.query import MetricIntent
from catalog.surfaces import normalise_surface
from dataagent.intent.normalise import Token
from dataagent.intent.timex import time_spans
from dataagent.intent.typefilter.pieces import Setting
from dataagent.intent.types import Option
from dataagent.intent.view import shown

_BOTH = frozenset({"both", "both of them", "both please", "all of them", "all three", "each of them", "all"})
_FILLERS = frozenset({"the", "i", "mean", "meant", "please", "one", "a", "?", ".", "!", "it", "is", "was"})


def chosen_option(
    tokens: tuple[Token, ...], options: tuple[Option, ...], setting: Setting
) -> tuple[MetricIntent, int] | None:
    """The plan that the reply chooses and how many tokens the choice took, or None.

    The choice stands first; what follows a comma or "and" refines it.
    """
    cuts = [i for i, t in enumerate(tokens) if t.norm in {",", "and", "but", ";"}]
    for cut in (len(tokens), *cuts):
        plan = _choice(tokens[:cut], options, setting)
        if plan is not None:
            return plan, cut
    return None


def _choice(tokens: tuple[Token, ...], options: tuple[Option, ...], setting: Setting) -> MetricIntent | None:
    words = [t.norm for t in tokens if t.norm not in _FILLERS]
    plans = tuple(o.intent for o in options if o.intent is not None)
    if not words or not plans:
        return None
    if " ".join(words) in _BOTH:
        return _together(plans)
    fitting = [p for p in plans if set(words) <= _words_of(p, plans)]
    if len(fitting) == 1:
        return fitting[0]
    return _by_time(tokens, plans, setting)


def _together(plans: tuple[MetricIntent, ...]) -> MetricIntent | None:
    """All metrics of the options in one plan, when they differ in nothing else."""
    bare = {replace(p, metrics=(), defaults_used=()) for p in plans}
    if len(bare) != 1 or len({p.metrics for p in plans}) != len(plans):
        return None
    return replace(plans[0], metrics=tuple(m for p in plans for m in p.metrics))


def _words_of(plan: MetricIntent, plans: tuple[MetricIntent, ...]) -> set[str]:
    """The words that tell the plan from the other options."""
    names = {*plan.metrics, *plan.dimensions, *(f.field for f in plan.filters)}
    common = set.intersection(*({*p.metrics, *p.dimensions, *(f.field for f in p.filters)} for p in plans))
    return {word for name in names - common for word in normalise_surface(shown(name)).split()}


def _by_time(tokens: tuple[Token, ...], plans: tuple[MetricIntent, ...], setting: Setting) -> MetricIntent | None:
    for start, end, reading in time_spans(tokens, setting.snapshot.calendar, setting.today):
        if (start, end) == (0, len(tokens)) and not reading.asks:
            same = [p for p in plans if p.time_range and _window(p) == (reading.range.start, reading.range.end)]
            if len(same) == 1:
                return same[0]
    return None


def _window(plan: MetricIntent) -> tuple[object, object]:
    return (plan.time_range.start, plan.time_range.end) if plan.time_range else (None, None)

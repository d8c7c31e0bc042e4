"""Asking back: two to four complete plans in catalog words, each read back before it is offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from catalog.calculations import split_derived
from catalog.query import Comparison, Default, Direction, IntentKind, MetricIntent, Order, TimeRange
from catalog.resolve import resolve
from catalog.restate import range_text, restate
from catalog.types import DimensionType
from dataagent.intent.candidate import Candidate, Opening, Slot
from dataagent.intent.decide import canonical
from dataagent.intent.parts import Sense
from dataagent.intent.timex import read
from dataagent.intent.typefilter.elapsed import cut_where_running
from dataagent.intent.typefilter.exclusions import unsound_exclusion
from dataagent.intent.typefilter.moved import is_open_change, settled_change
from dataagent.intent.typefilter.periods import silent_period
from dataagent.intent.typefilter.pieces import Focus, Setting
from dataagent.intent.typefilter.ranks import OPEN_SENSE, direction_of
from dataagent.intent.types import Decision, Option, Understanding
from dataagent.intent.view import entity_of_dimension, entity_of_metric, reach_of, shown, type_of
from dataagent.intent.words import period_words, phrase_of, unit_of

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


_ONLY_ONE = "There is one reading{by} that can be computed. Is it meant?"


def only_period(candidate: Candidate, asked: Understanding) -> Candidate | None:
    """The reading with the only period that goes with it, told as a default; None where anything else is open.

    There is nothing to choose between, so nothing is asked.
    """
    if len(asked.options) != 1 or len(candidate.openings) != 1 or candidate.openings[0].slot is not Slot.TIME:
        return None
    plan = asked.options[0].intent
    if plan is None or plan.time_range is None or candidate.openings[0].leaves:
        return None
    text = f"No period was named: took {range_text(plan.time_range)}, the only one that goes with the comparison."
    default = Default(key="time_range", value=plan.time_range.expr, text=text)
    defaults = tuple(dict.fromkeys((*plan.defaults_used, default)))
    decided = replace(plan, defaults_used=defaults)
    return replace(candidate, intent=decided, openings=(), defaults=defaults)


def ask(candidate: Candidate, opening: Opening, setting: Setting, reads: Reads) -> Understanding | None:
    """The question back, with its options, or None where no complete plan can be offered.

    `reads` reads a rewording, which counts only if it yields the plan.
    """
    plans = tuple(cut_where_running(p, setting) for p in opening.plans or proposals(opening, candidate, setting))
    whole = tuple(p for p in distinct(plans) if is_complete(p, setting))
    texts = tuple(phrase_of(p, setting.snapshot) for p in whole)
    labels = tuple(_label(p, opening, t) for p, t in zip(whole, texts, strict=True))
    restated = tuple(restate(p, setting.snapshot) for p in whole)
    shown_as = next((ways for ways in (labels, texts) if len(set(ways)) == len(ways)), restated)
    detail = _left_out(candidate, opening)
    offered = tuple(
        Option(label=label, question=text, intent=plan, detail=detail)
        for plan, text, label in zip(whole, texts, shown_as, strict=True)
    )
    options = _readable(offered, reads)
    if not options:
        return None
    by = f" by “{opening.word}”" if opening.word else ""
    if opening.slot in {Slot.VALUE, Slot.THRESHOLD, Slot.SCOPE}:
        by = f" “{opening.word}”" if opening.word else " this"
    prompt = (_PROMPTS[opening.slot] if len(options) > 1 else _ONLY_ONE).format(by=by)
    return Understanding(decision=Decision.CLARIFY, prompt=prompt, options=options, about=opening.word)


def ask_between(rivals: tuple[Candidate, ...], setting: Setting, reads: Reads) -> Understanding | None:
    """The question back between readings that are each complete."""
    plans = tuple(c.intent for c in rivals)
    return ask(rivals[0], Opening(slot=Slot.SCOPE, word="", plans=plans), setting, reads)


Asked = tuple[Candidate, Understanding]
"""The reading that is asked about, with the question back."""


def ask_open(candidates: tuple[Candidate, ...], setting: Setting, reads: Reads) -> Asked | None:
    """The first reading whose open slot can be filled with complete plans, and the question back."""
    for candidate in candidates:
        asked = ask(candidate, candidate.openings[0], setting, reads)
        if asked is not None:
            return candidate, asked
    return None


def _left_out(candidate: Candidate, opening: Opening) -> str:
    """Words that no option takes up; a growth is taken up by the period that it is asked for."""
    words = [o.leaves for o in candidate.openings if o.leaves and (o != opening or o.slot is not Slot.BASE)]
    return f"leaves out: {', '.join(words)}" if words else ""


def is_complete(plan: MetricIntent, setting: Setting) -> bool:
    """Whether the plan names something to compute, and everything that it names can be used together."""
    if plan.kind is IntentKind.DEFINE:
        return True
    if plan.kind in _READ and not (plan.metrics or plan.entity or plan.kind is IntentKind.DISTINCT_VALUES):
        return False
    if any(o.by.startswith(OPEN_SENSE) for o in plan.order) or not all(setting.permitted(m) for m in plan.metrics):
        return False
    if unsound_exclusion(plan, setting.snapshot) is not None:
        return False
    used = {*plan.dimensions, *(f.field for f in plan.filters)}
    if plan.metrics and not used <= setting.seen(reach_of(setting.snapshot, plan.metrics)):
        return False
    plain = replace(
        plan,
        comparison=None,
        transforms=(),
        per_group=None,
        having=tuple(c for c in plan.having if split_derived(c.metric)[1] is None),
        order=tuple(o for o in plan.order if split_derived(o.by)[1] is None) or _first(plan),
    )
    return plan.kind not in _READ or not isinstance(resolve(plain, setting.snapshot, setting.scope), tuple)


def _first(plan: MetricIntent) -> tuple[Order, ...]:
    """The order of the plain figures in place of one by their change."""
    return (Order(by=plan.metrics[0], direction=Direction.DESC),) if plan.order and plan.metrics else ()


_READ = frozenset({IntentKind.QUERY, IntentKind.EXTREME, IntentKind.ENTITY_LIST, IntentKind.DISTINCT_VALUES})


def distinct(plans: tuple[MetricIntent, ...]) -> tuple[MetricIntent, ...]:
    """The plans without those that mean the same."""
    return tuple({canonical(p): p for p in plans}.values())


def _readable(offered: tuple[Option, ...], reads: Reads) -> tuple[Option, ...]:
    """The first options that are read back as their plans, or the first of all, without a text that is not."""
    said: list[Option] = []
    for option in offered:
        if _again(option, reads):
            said.append(option)
        if len(said) == MAX_OPTIONS:
            break
    if len(said) > 1:
        return tuple(said)
    return tuple(o if o in said else replace(o, question="") for o in offered[:MAX_OPTIONS])


def _again(option: Option, reads: Reads) -> bool:
    """Whether the option's text is read back as its plan."""
    again = reads(option.question)
    return again is not None and option.intent is not None and canonical(again) == canonical(option.intent)


def _label(plan: MetricIntent, opening: Opening, text: str) -> str:
    if opening.slot is Slot.METRIC and plan.metrics:
        return " and ".join(shown(m) for m in plan.metrics)
    if opening.slot is Slot.TIME and plan.time_range is not None:
        return period_words(plan.time_range) or text
    if opening.slot is Slot.BASE and plan.time_range is not None and plan.comparison is not None:
        against = _AGAINST.get(plan.comparison.type)
        return f"{period_words(plan.time_range)}, {against(plan.time_range)}" if against else text
    return text


def _before(window: TimeRange) -> str:
    unit = unit_of(window)
    return f"against the {unit} before ({unit} over {unit})" if unit else "against the period before"


_AGAINST: dict[str, Callable[[TimeRange], str]] = {
    "previous_period": _before,
    "year_ago": lambda _: "against the same days a year before (year over year)",
}


def proposals(opening: Opening, candidate: Candidate, setting: Setting) -> tuple[MetricIntent, ...]:
    """Complete plans for a slot that nothing in the question fills, over all that its other slots leave possible."""
    others = (p for o in candidate.openings if o != opening for p in o.plans)
    starts = distinct((candidate.intent, *others))
    maker = _MAKERS.get(opening.slot)
    return tuple(p for start in starts for p in maker(start, setting)) if maker else starts


def _by_dimension(start: MetricIntent, setting: Setting) -> tuple[MetricIntent, ...]:
    """The plan broken down by each kind of thing that the metric's own rows have."""
    if not start.metrics:
        return (start,)
    focus = focus_on(setting, start.metrics)
    snapshot = setting.snapshot
    named = sorted(d for d in focus.reach if type_of(snapshot, d) in _KINDS and entity_of_dimension(snapshot, d))
    own = [d for d in named if entity_of_dimension(snapshot, d) == focus.entity]
    return tuple(replace(start, dimensions=(d,)) for d in (own or named)[:MAX_OPTIONS])


_KINDS = frozenset({DimensionType.CATEGORICAL, DimensionType.ORDINAL, DimensionType.GEO})


def _by_metric(start: MetricIntent, setting: Setting) -> tuple[MetricIntent, ...]:
    """The plan with each metric that fits its dimensions and conditions, the loosely named ones first."""
    used = {*start.dimensions, *(f.field for f in start.filters)}
    fitting = (m for m in likely_metrics(setting) if used <= reach_of(setting.snapshot, (m,)))
    plans = (_measured(start, m, setting) for m in fitting)
    return tuple(islice((p for p in plans if p is not None and is_complete(p, setting)), MAX_OPTIONS))


def _measured(start: MetricIntent, metric: str, setting: Setting) -> MetricIntent | None:
    """The plan about this metric, an open ranking turned its way; None where "best" has no direction."""
    orders = [_settled_order(o, metric, setting) for o in start.order]
    moved = [settled_change(c.metric, metric, setting.snapshot) for c in start.having]
    if None in orders or None in moved:
        return None
    plan = replace(
        start,
        metrics=(metric,),
        order=tuple(o for o in orders if o),
        having=tuple(replace(c, metric=m) for c, m in zip(start.having, moved, strict=True) if m),
    )
    if plan.time_range is not None:
        return plan
    window, default = silent_period(focus_on(setting, (metric,)))
    return replace(plan, time_range=window, defaults_used=(*plan.defaults_used, default))


def _settled_order(order: Order, metric: str, setting: Setting) -> Order | None:
    if is_open_change(order.by):
        column = settled_change(order.by, metric, setting.snapshot)
        return replace(order, by=column) if column else None
    direction: Direction | None = order.direction
    if order.by.startswith(OPEN_SENSE):
        direction = direction_of(Sense(order.by.removeprefix(OPEN_SENSE)), metric, setting.snapshot)
    return Order(by=metric, direction=direction) if direction else None


def focus_on(setting: Setting, metrics: tuple[str, ...]) -> Focus:
    """The focus of a plan about these metrics."""
    entity = entity_of_metric(setting.snapshot, metrics[0])
    reach = setting.seen(reach_of(setting.snapshot, metrics))
    return Focus(setting=setting, metrics=metrics, entity=entity, reach=reach)


def _by_base(start: MetricIntent, setting: Setting) -> tuple[MetricIntent, ...]:
    """The last full week, month or year against the one before, the month also against that of a year before; a
    named period keeps its place."""
    named = start.time_range is not None and start.time_range.start is not None
    if named:
        kinds = ("previous_period", "year_ago")
        return tuple(replace(start, comparison=Comparison(type=kind, calc=("diff", "pct"))) for kind in kinds)
    plans = []
    for unit, kind in _BASES:
        reading = read(f"last {unit}", setting.snapshot.calendar, setting.today)
        if reading is not None:
            compared = Comparison(type=kind, calc=("diff", "pct"))
            plans.append(replace(start, time_range=reading.range, comparison=compared, defaults_used=()))
    return tuple(plans)


_BASES = (
    ("week", "previous_period"),
    ("month", "previous_period"),
    ("month", "year_ago"),
    ("year", "previous_period"),
)
"""The full periods that a growth without a period can be of, each with what it is held against."""


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
    Slot.DIMENSION: _by_dimension,
}

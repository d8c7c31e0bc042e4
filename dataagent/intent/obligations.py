"""What an operator owes before its reading may be answered."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from catalog.calculations import TAKEN
from catalog.query import Default, IntentKind, MetricIntent
from catalog.types import Filter, Operator
from dataagent.intent.candidate import Opening, Slot
from dataagent.intent.parts import (
    Compared,
    Condition,
    Declared,
    Flag,
    Grain,
    Groups,
    Idle,
    Measured,
    Open,
    Part,
    RankBy,
    Ranked,
    Trend,
    Versus,
    When,
)
from dataagent.intent.resultparts import (
    Averaged,
    Moved,
    MovedRank,
)
from dataagent.intent.typefilter.periods import silent_period, trend_writes
from dataagent.intent.typefilter.pieces import Focus, Piece, Write
from dataagent.intent.types import BoundTo
from dataagent.intent.view import entity_of_dimension, entity_of_metric, is_count, is_rate, is_semi_additive

Placed = tuple[tuple[int, Part], ...]


def needed_writes(parts: Placed, focus: Focus, pieces: tuple[Piece, ...]) -> tuple[Piece, tuple[Default, ...]]:
    """What the plan takes from declared defaults, as a piece of its own, with the disclosures."""
    fields = {w.field for p in pieces for way in p.alternatives for w in way}
    writes: list[Write] = []
    defaults: list[Default] = []
    if any(isinstance(p, Trend) for _, p in parts):
        more, disclosed = trend_writes(focus, timed="time_range" in fields, grained="grain" in fields)
        writes.extend(more)
        defaults.extend(disclosed)
        fields |= {w.field for w in more}
    values = any(w.value is IntentKind.DISTINCT_VALUES for p in pieces for way in p.alternatives for w in way)
    timed = bool(focus.metrics) or bool(fields & {"entity", "transforms", "comparison"})
    if not fields & {"time_range", "narrowed_range", "sets"} and timed and not values:
        window, default = silent_period(focus)
        writes.append(Write(field="time_range", value=window))
        defaults.append(default)
    ranked = next((p for _, p in parts if isinstance(p, Ranked)), None)
    levels = [m for m in focus.metrics if is_semi_additive(focus.setting.snapshot, m)]
    if levels and fields & {"grain", "time_range", "narrowed_range"}:
        text = "A level is shown as it stood at the end of the period, and of each period of a series."
        defaults.append(Default(key="snapshot", value="end_of_period", text=text))
    grouped = [(edge, p) for edge, p in parts if isinstance(p, Groups)]
    if ranked is not None and ranked.things is not None and len(grouped) == 1 and grouped[0][1].per:
        mine = (w for p in pieces if p.edge == grouped[0][0] for w in p.alternatives[0] if w.field == "dimensions")
        first = next(mine, None)
        writes.extend([Write(field="per_group", value=first.value)] if first else [])
    return Piece(edge=-1, alternatives=(tuple(writes),)), tuple(defaults)


def obligations_of(parts: Placed, focus: Focus, plan: MetricIntent) -> tuple[Opening, ...]:
    """The open slots of a reading."""
    found: list[Opening] = []
    kinds = [p for _, p in parts]
    no_metric = {IntentKind.DISTINCT_VALUES, IntentKind.AGGREGATE, IntentKind.DISTRIBUTION}
    if not focus.metrics and plan.entity is None and plan.kind not in no_metric:
        ranking = next((p for p in kinds if isinstance(p, Ranked)), None)
        found.append(Opening(slot=Slot.RANKING if ranking else Slot.METRIC, word=ranking.word if ranking else ""))
    if _counts_all_of_a_period(plan):
        found.append(Opening(slot=Slot.METRIC, word=plan.entity or ""))
    slots = {"threshold": Slot.THRESHOLD, "base": Slot.BASE, "metric": Slot.METRIC}
    found.extend(
        Opening(slot=slots[p.slot], word=p.word, leaves=p.word if p.dropped else "")
        for p in kinds
        if isinstance(p, Open) and p.slot in slots and not (p.slot == "base" and plan.comparison is not None)
    )
    if any(isinstance(p, Open) and p.slot == "groups" for p in kinds) and not (plan.dimensions or plan.grain):
        found.append(Opening(slot=Slot.DIMENSION, word="break down"))
    if any(isinstance(p, Moved | MovedRank) for p in kinds) and not (
        plan.dimensions or plan.grain or _asks_truth(plan)
    ):
        found.append(Opening(slot=Slot.DIMENSION, word="the change"))
    if plan.order and plan.metrics and not (plan.dimensions or plan.grain or plan.entity):
        found.append(Opening(slot=Slot.DIMENSION, word="the order"))
    found.extend(scope_openings(kinds, plan))
    found.extend(_attachment(parts, focus, plan))
    found.extend(_ungrouped(kinds, focus, plan))
    return tuple(found)


def _counts_all_of_a_period(plan: MetricIntent) -> bool:
    """Whether things are counted that have a period and no condition: new ones can be meant, or active ones."""
    window = plan.time_range
    bounded = window is not None and (window.start is not None or window.end is not None)
    named = plan.metrics or plan.having or plan.entity_condition or plan.sets
    return plan.kind is IntentKind.ENTITY_COUNT and bounded and not named


def _asks_truth(plan: MetricIntent) -> bool:
    return plan.kind in {IntentKind.BOOLEAN, IntentKind.EXISTS}


def scope_openings(kinds: list[Part], plan: MetricIntent) -> list[Opening]:
    """Combinations whose scope English leaves open."""
    found: list[Opening] = []
    conditions = [p for p in kinds if isinstance(p, Condition | Flag | Declared | Measured)]
    for position, condition in enumerate(conditions):
        if isinstance(condition, Condition) and condition.either and position + 1 < len(conditions):
            found.append(Opening(slot=Slot.SCOPE, word="or"))
    found.extend(_after_comma(kinds, plan))
    fields = [f.field for f in plan.filters]
    if len(set(fields)) < len(fields):
        found.append(Opening(slot=Slot.SCOPE, word="and", plans=_together(plan)))
    taken = any(t.type in TAKEN for t in plan.transforms) or any(isinstance(p, Averaged) for p in kinds)
    if taken and any(_said_per(p) for p in kinds):
        found.append(Opening(slot=Slot.SCOPE, word="per"))
    ranked = [p for p in kinds if (isinstance(p, Ranked) and p.ask != "order") or _ranks_moves(p)]
    if ranked and any(isinstance(p, Groups) for p in kinds) and plan.per_group is None:
        found.append(Opening(slot=Slot.SCOPE, word="top"))
    if len(ranked) > 1 or sum(isinstance(p, RankBy) for p in kinds) > 1:
        found.append(Opening(slot=Slot.RANKING, word="top"))
    if len({p.reading for p in kinds if isinstance(p, When)}) > 1 or sum(isinstance(p, Grain) for p in kinds) > 1:
        found.append(Opening(slot=Slot.TIME, word="the period"))
    if sum(isinstance(p, Compared | Versus) for p in kinds) > 1:
        found.append(Opening(slot=Slot.BASE, word="the comparison"))
    return found


def _said_per(part: Part) -> bool:
    """ "per month" beside "average orders per customer": over what the average is taken is open."""
    return isinstance(part, Groups | Grain) and (part.each or (isinstance(part, Groups) and part.per))


def _ranks_moves(part: Part) -> bool:
    return isinstance(part, MovedRank) and part.things is not None


def _together(plan: MetricIntent) -> tuple[MetricIntent, ...]:
    """The plan with all the wanted members of one dimension in one condition, where two conditions name some."""
    merged: dict[str, Filter] = {}
    for condition in plan.filters:
        before = merged.get(condition.field)
        if before is None:
            merged[condition.field] = condition
            continue
        values = tuple(dict.fromkeys((*before.values, *condition.values)))
        if {before.op, condition.op} <= {Operator.EQ, Operator.IN}:
            merged[condition.field] = replace(before, op=Operator.IN, values=values)
        elif {before.op, condition.op} <= {Operator.NE, Operator.NOT_IN}:
            merged[condition.field] = replace(before, op=Operator.NOT_IN, values=values)
        else:
            return (plan,)
    return (replace(plan, filters=tuple(merged.values())),)


_TURNED = {Operator.EQ: Operator.NE, Operator.IN: Operator.NOT_IN}


def _after_comma(kinds: list[Part], plan: MetricIntent) -> list[Opening]:
    """ "excluding toys, France": whether what follows the comma is left out as well."""
    found: list[Opening] = []
    for first, between, second in zip(kinds, kinds[1:], kinds[2:], strict=False):
        denies = getattr(first, "negated", False) or (isinstance(first, Flag) and not first.value)
        if not denies or not isinstance(between, Idle) or not isinstance(second, Condition) or second.negated:
            continue
        fields = {d for d, _ in second.values[0].choices}
        turned = tuple(
            replace(f, op=_TURNED[f.op]) if f.field in fields and f.op in _TURNED else f for f in plan.filters
        )
        word = second.values[0].surface
        found.append(Opening(slot=Slot.SCOPE, word=word, plans=(plan, replace(plan, filters=turned))))
    return found


def _attachment(parts: Placed, focus: Focus, plan: MetricIntent) -> list[Opening]:
    """ "by customers in Paris": the place may belong to the customers or to the thing measured."""
    found: list[Opening] = []
    snapshot = focus.setting.snapshot
    for (_, first), (_, second) in pairwise(parts):
        if not isinstance(first, Groups) or not isinstance(second, Condition) or second.noun is not None:
            continue
        last = first.refs[-1]
        if last.kind is not BoundTo.ENTITY:
            continue
        fields = {f.field for f in plan.filters if f.field in {d for d, _ in second.values[0].choices}}
        if any(entity_of_dimension(snapshot, f) not in last.targets for f in fields):
            found.append(Opening(slot=Slot.SCOPE, word=second.values[0].surface))
    return found


def _ungrouped(kinds: list[Part], focus: Focus, plan: MetricIntent) -> list[Opening]:
    """A condition on an aggregate needs groups, and must not be one on the rows that are counted."""
    stated = [p for p in kinds if isinstance(p, Measured) and p.ref is not None and p.ref.kind is BoundTo.METRIC]
    if not stated or _asks_truth(plan):
        return []
    if not (plan.dimensions or plan.grain or plan.entity):
        return [Opening(slot=Slot.SCOPE, word=stated[0].ref.surface if stated[0].ref else "")]
    head = plan.metrics[0]
    about = next((h.metric for h in plan.having), head)
    snapshot = focus.setting.snapshot
    same = entity_of_metric(snapshot, about) == entity_of_metric(snapshot, head)
    if about != head and is_count(snapshot, head) and is_rate(snapshot, about) and same:
        return [Opening(slot=Slot.SCOPE, word=stated[0].ref.surface if stated[0].ref else "")]
    return []

"""Shares of a plan: over what they are taken, once the rest of it is settled, and what an edit does to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from catalog.query import Default, MetricIntent
from catalog.restate import filter_text
from catalog.shared import (
    ALL,
    OVER,
    SHARE_OF_TOTAL,
    WHOLE,
    is_of_all,
    left_out,
    only_parts,
    picked,
    share_in,
    shared_over,
)
from catalog.types import METRIC_TIME, Filter, Operator
from dataagent.intent.parts import Calculated
from dataagent.intent.typefilter.exclusions import adds_up_over, leaves_out
from dataagent.intent.typefilter.pieces import Dead, Focus, Piece, Transform, Write, dead, piece
from dataagent.intent.view import is_additive, metric_of, shown

NO_WHOLE = "The parts of this metric do not add up to a whole, so it has no shares. Ask for the figures themselves."
NO_PART = "A share needs what it is a share of: name one grouping, or one member."
SHARE_WHOLE = "share_whole"
"""The key of what was decided about the whole of a share."""
_LOST_PART = "What the earlier share was a part of is gone. Ask for the share as a whole question."
_SEVERAL = "A share goes with no other calculation over the same figures. Ask for one of them."
_UNCLEAR_ALL = "“All” could take away the other conditions as well. Ask without one of them."


def share_piece(edge: int, part: Calculated, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """The share over the dimension that is filtered in the same phrase, or else over what is grouped by.

    Where words of the question can mean several dimensions, the share is settled with each plan.
    """
    if not all(is_additive(focus.setting.snapshot, m) for m in focus.metrics):
        return dead(edge, "incompatible", "share of total", NO_WHOLE)
    fields = {
        w.value.field
        for p in others
        if p.edge == edge
        for way in p.alternatives
        for w in way
        if w.field == "filters" and isinstance(w.value, Filter) and not leaves_out(w.value)
    }
    over = ((OVER, fields.pop()),) if len(fields) == 1 else ()
    return piece(
        edge, Write(field="transforms", value=Transform(type=SHARE_OF_TOTAL, arguments=(*over, *part.arguments)))
    )


def settled(plan: MetricIntent, focus: Focus) -> MetricIntent | Dead:
    """The plan with its share, if it has one, over exactly one dimension, and what was decided about the whole."""
    made = share_in(plan)
    if made is None:
        return plan
    if len(plan.transforms) > 1:
        return Dead(code="unsupported", message=_SEVERAL)
    over = shared_over(plan) or _over(plan)
    if over is None:
        return Dead(code="unsupported", message=NO_PART)
    if not all(_adds_up(m, over, plan, focus) for m in plan.metrics):
        return Dead(code="incompatible", words=(shown(over),), message=NO_WHOLE)
    return _with_whole(plan, over, focus)


def shared_after(
    base: MetricIntent, plans: Iterable[MetricIntent], focus: Focus, *, asked: bool
) -> tuple[MetricIntent, ...] | Dead:
    """The edited plans with the share that the edit asks for, or else with the one of the turn before."""
    found: list[MetricIntent] = []
    for plan in plans:
        made = _share_of(plan, focus) if asked else _reshared(base, plan, focus)
        if isinstance(made, Dead):
            return made
        found.extend((made,) if isinstance(made, MetricIntent) else made)
    return tuple(dict.fromkeys(found))


def _share_of(plan: MetricIntent, focus: Focus) -> MetricIntent | Dead:
    """The plan with each figure as a share: over what it is grouped by, or over what it names one member of."""
    others = tuple(t for t in plan.transforms if t.type != SHARE_OF_TOTAL)
    return settled(replace(plan, transforms=(*others, Transform(type=SHARE_OF_TOTAL))), focus)


def _reshared(base: MetricIntent, plan: MetricIntent, focus: Focus) -> tuple[MetricIntent, ...] | Dead:
    """The edited plan with the share of the turn before; two plans where a member can be the part or a condition."""
    over = shared_over(base)
    if over is None or share_in(plan) is None:
        return (plan,)
    if over in _groupings(base):
        found = settled(plan, focus) if over in _groupings(plan) else _share_of(plan, focus)
        return found if isinstance(found, Dead) else (found,)
    if not any(f.field == over for f in picked(plan)):
        return Dead(code="unsupported", message=_LOST_PART)
    ways = [plan]
    known = {f.field for f in base.filters}
    for new in (f for f in picked(plan) if f.field not in known and f.op in _MEMBERS):
        other = replace(plan, filters=tuple(f for f in plan.filters if f.field != over))
        ways.insert(0, replace(other, transforms=(Transform(type=SHARE_OF_TOTAL, arguments=((OVER, new.field),)),)))
    results = [settled(way, focus) for way in ways]
    alive = tuple(r for r in results if isinstance(r, MetricIntent))
    return alive or next(r for r in results if isinstance(r, Dead))


_MEMBERS = frozenset({Operator.EQ, Operator.IN})


def _groupings(plan: MetricIntent) -> tuple[str, ...]:
    return (*plan.dimensions, *((plan.time_dimension or METRIC_TIME,) if plan.grain else ()))


def _over(plan: MetricIntent) -> str | None:
    """The one dimension that the plan's share can be over: its grouping, its period, or what one member is named of."""
    named = plan.dimensions or ((plan.time_dimension or METRIC_TIME,) if plan.grain and not picked(plan) else ())
    found = tuple(dict.fromkeys(named or (f.field for f in picked(plan))))
    return found[0] if len(found) == 1 else None


def _adds_up(metric: str, over: str, plan: MetricIntent, focus: Focus) -> bool:
    """Whether the metric's parts by that dimension make its whole."""
    snapshot = focus.setting.snapshot
    if not is_additive(snapshot, metric):
        return False
    if over in plan.dimensions or over != (plan.time_dimension or METRIC_TIME):
        return adds_up_over(snapshot, metric, over)
    found = metric_of(snapshot, metric)
    return found is None or not found.time_dimension or adds_up_over(snapshot, metric, found.time_dimension)


def _with_whole(plan: MetricIntent, over: str, focus: Focus) -> MetricIntent | Dead:
    """The share over that dimension; "of all" is kept where it makes a difference, and a silent whole is told."""
    made = Transform(type=SHARE_OF_TOTAL, arguments=((OVER, over),))
    kept = tuple(d for d in plan.defaults_used if d.key != SHARE_WHOLE)
    found = replace(plan, transforms=(made,), defaults_used=kept)
    if is_of_all(plan):
        whole = replace(made, arguments=((OVER, over), (WHOLE, ALL)))
        found = replace(found, transforms=(whole,)) if left_out(found) else found
        unclear = len(plan.filters) > len(only_parts(found))
        return Dead(code="unsupported", message=_UNCLEAR_ALL) if unclear else found
    if not left_out(found):
        return found
    words = " and ".join(filter_text(f, focus.setting.snapshot) for f in left_out(found))
    text = f"The whole of the share leaves out what the question leaves out: {words}."
    return replace(found, defaults_used=(*kept, Default(key=SHARE_WHOLE, value="what is left", text=text)))

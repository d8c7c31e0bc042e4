"""Calculations over the result and members side by side."""

from __future__ import annotations

from dataclasses import replace

from catalog.calculations import TAKEN
from catalog.query import Default, IntentKind, MetricIntent
from catalog.shared import SHARE_OF_TOTAL
from catalog.types import Filter, Operator, TimeGranularity
from catalog.windows import cut_at
from dataagent.intent.candidate import Dead
from dataagent.intent.parts import Calculated, Condition, Part, Refused, Versus
from dataagent.intent.typefilter.directions import direction_piece
from dataagent.intent.typefilter.elapsed import elapsed_until
from dataagent.intent.typefilter.members import condition_piece, value_choices
from dataagent.intent.typefilter.overs import over_piece, statistic_piece
from dataagent.intent.typefilter.periods import grain_default
from dataagent.intent.typefilter.pieces import Comparison, Focus, Piece, Slot, Transform, Write, dead, piece
from dataagent.intent.typefilter.reasons import reasons_piece
from dataagent.intent.typefilter.shares import share_piece
from dataagent.intent.view import is_additive, is_of_own_rows, shown

NO_RUNNING = "This metric is a level, or is made from several days already, so it has no running total."


def restarted(parts: tuple[tuple[int, Part], ...]) -> tuple[tuple[int, Part], ...]:
    """ "restarting each year" belongs to the running total beside it; without one it cannot be."""
    held = [p for _, p in parts if isinstance(p, Calculated)]
    anew = [p for p in held if p.type == "restart"]
    if not anew:
        return parts
    made = replace(anew[0], type="running_total")
    runs = any(p.type == "running_total" for p in held) and len(anew) == 1
    put = made if runs else Refused(code="restart")
    mine = {"restart", "running_total"} if runs else {"restart"}
    return tuple((i, put if isinstance(p, Calculated) and p.type in mine else p) for i, p in parts)


def versus_piece(edge: int, part: Versus, focus: Focus) -> Piece:
    """Members of one dimension side by side."""
    condition = Condition(values=part.values, noun=part.noun, versus=True)
    base = condition_piece(edge, condition, focus)
    if base.dead or not value_choices(condition, focus):
        return base
    ways = []
    for writes in base.alternatives:
        chosen = writes[0].value
        members = tuple(str(v) for v in chosen.values)
        if not isinstance(chosen, Filter) or chosen.op is not Operator.IN or len(members) < 2:
            return dead(edge, "unsupported", base.word)
        if len(part.values) > 2:
            ways.append((*writes, Write(field="dimensions", value=chosen.field)))
            continue
        compared = Comparison(type="values", calc=("diff", "pct"), field=chosen.field, values=members)
        ways.append((*writes, Write(field="dimensions", value=chosen.field), Write(field="comparison", value=compared)))
    return Piece(edge=edge, alternatives=tuple(ways), slot=Slot.VALUE, word=base.word, defaults=base.defaults)


def calculated_piece(edge: int, part: Calculated, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """A transform with its arguments; shares need parts that add up, running totals rows that belong to one day."""
    if part.type == "ratio":
        return _ratio(edge, part, focus)
    if part.type in {"max", "min", "percentile"}:
        return statistic_piece(edge, part, focus, IntentKind.AGGREGATE)
    if part.type in TAKEN and part.grain is None:
        return over_piece(edge, part, focus)
    if part.type == "contribution":
        return reasons_piece(edge, part, focus, others)
    if part.type == "funnel":
        return _funnel(edge, part)
    if part.type == "direction":
        return direction_piece(edge, part, focus, others)
    if part.type == SHARE_OF_TOTAL:
        return share_piece(edge, part, focus, others)
    return _plain(edge, part, focus, others)


def _funnel(edge: int, part: Calculated) -> Piece:
    transform = Transform(type="funnel", arguments=part.arguments)
    return piece(edge, Write(field="kind", value=IntentKind.FUNNEL), Write(field="transforms", value=transform))


def _plain(edge: int, part: Calculated, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """A transform with the arguments that it came with."""
    own = all(is_of_own_rows(focus.setting.snapshot, m) for m in focus.metrics)
    if part.type == "running_total" and not own:
        return dead(edge, "incompatible", "running total", NO_RUNNING)
    writes = [Write(field="transforms", value=Transform(type=part.type, arguments=part.arguments))]
    if part.type == "moving_average" and part.grain is not None:
        writes.append(Write(field="grain", value=part.grain))
    if part.type == "correlation":
        writes.append(Write(field="kind", value=IntentKind.CORRELATION))
    return _elapsed(Piece(edge=edge, alternatives=(tuple(writes),)), part, focus, others)


def _elapsed(base: Piece, part: Calculated, focus: Focus, others: tuple[Piece, ...]) -> Piece:
    """Running totals and averages per period end today, and a running total has a granularity."""
    if part.type not in {"running_total", "average_per", "correlation"}:
        return base
    windows = [w.value for p in others for w in p.alternatives[0] if w.field == "time_range"]
    window = windows[0] if len(windows) == 1 else None
    writes, defaults = list(base.alternatives[0]), list(base.defaults)
    last = elapsed_until(window, focus.setting)
    cut = cut_at(window, last) if window is not None else None
    if cut is not None and cut != window:
        writes.append(Write(field="elapsed_until", value=last))
        defaults.append(Default(key="to_date", value=last.isoformat(), text="The running period ends today."))
        window = cut
    grained = any(w.field == "grain" for p in others for w in p.alternatives[0])
    if part.type == "running_total" and not grained:
        days = (window.end - window.start).days if window is not None and window.start and window.end else 366
        grain = TimeGranularity.DAY if days <= 31 else TimeGranularity.WEEK if days <= 92 else TimeGranularity.MONTH
        writes.append(Write(field="grain", value=grain))
        defaults.append(grain_default(grain))
    return replace(base, alternatives=(tuple(writes),), defaults=tuple(defaults))


def averaged_anew(base: MetricIntent, plan: MetricIntent) -> Dead | None:
    """Why another size of periods beside an average per period is not clear, or None: either may be meant by it."""
    averaged = any(t.type == "average_per" for t in plan.transforms)
    return Dead(code="unsupported", message=_AVERAGED_ANEW) if averaged and plan.grain != base.grain else None


_AVERAGED_ANEW = (
    "The average can be taken over other periods, or shown for each of them. Ask for it as a whole, such as the "
    "average per week."
)


def _ratio(edge: int, part: Calculated, focus: Focus) -> Piece:
    if len(focus.metrics) != 2 or not all(is_additive(focus.setting.snapshot, m) for m in focus.metrics):
        return dead(edge, "unsupported", "the ratio")
    top, bottom = focus.metrics
    transform = Transform(type="ratio", arguments=(("num", top), ("den", bottom), *part.arguments))
    text = f"Computed as {shown(top)} divided by {shown(bottom)}; it is not a metric of the catalog."
    return piece(
        edge,
        Write(field="transforms", value=transform),
        defaults=(Default(key="formula", value=f"{top} / {bottom}", text=text),),
    )

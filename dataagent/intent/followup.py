"""Edits on the previous turn's plan.

What a follow-up names replaces or joins what stood there; everything else is
inherited and checked again.  A follow-up that could either replace or add asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

from catalog.query import Default, IntentKind, MetricCondition, MetricIntent, Order
from catalog.windows import cut_at
from dataagent.intent.assemble import Placed, certify_paths, cost_of, pieces_for, placed_parts
from dataagent.intent.candidate import Candidate, Dead, Opening, Slot
from dataagent.intent.chart import Edge
from dataagent.intent.continued import continued
from dataagent.intent.earlier import (
    Joining,
    contrasted,
    counted_from,
    filtered,
    members_after,
    replaced_by_adding,
)
from dataagent.intent.metaedits import is_meta, meta_of
from dataagent.intent.obligations import scope_openings
from dataagent.intent.parts import Calculated, Compared, Edit, Groups, Idle, Metrics, Part, Ref, TimeReading, When
from dataagent.intent.partyears import in_part_of_year, in_the_same_year
from dataagent.intent.typefilter.cohorts import cohort_of
from dataagent.intent.typefilter.elapsed import compared_after
from dataagent.intent.typefilter.exclusions import unsound_exclusion
from dataagent.intent.typefilter.meanings import told_meanings
from dataagent.intent.typefilter.pieces import Focus, Piece, Setting, Writes, contradict
from dataagent.intent.typefilter.ranks import ranked_after
from dataagent.intent.typefilter.results import averaged_anew
from dataagent.intent.typefilter.shares import shared_after
from dataagent.intent.types import BoundTo, Turn
from dataagent.intent.view import entity_of_metric, label_of_entity, reach_of, reach_of_entity

_DATA_KINDS = frozenset(IntentKind) - {IntentKind.DEFINE, IntentKind.EXPLAIN_LAST, IntentKind.RESET}


def base_of(turns: tuple[Turn, ...]) -> MetricIntent | None:
    """The plan that a follow-up edits: the latest one about data since the last reset."""
    for turn in reversed(turns):
        if turn.intent is not None and turn.intent.kind is IntentKind.RESET:
            return None
        if turn.intent is not None and turn.intent.kind in _DATA_KINDS:
            return turn.intent
    return None


def edit_readings(
    path: tuple[Edge, ...], setting: Setting, base: MetricIntent, *, joining: Joining
) -> tuple[Candidate, ...]:
    """The readings of one covering as edits of the base plan; `joining` says whether its words add to it."""
    found = _edits(path, setting, base, joining=joining)
    if joining not in {Joining.ADDS, Joining.MIXED}:
        return found
    return tuple(_adding(c, base) for c in found)


def _adding(candidate: Candidate, base: MetricIntent) -> Candidate:
    """The reading, stopped where it would replace what it says it adds to."""
    parts = [p for e in candidate.edges for p in e.meaning]
    plans = (candidate.intent, *(p for o in candidate.openings for p in o.plans))
    reason = next((d for plan in plans if (d := replaced_by_adding(parts, base, plan))), None)
    return replace(candidate, dead=reason) if reason and candidate.dead is None else candidate


def _edits(path: tuple[Edge, ...], setting: Setting, base: MetricIntent, *, joining: Joining) -> tuple[Candidate, ...]:
    parts = placed_parts(path)
    if any(isinstance(p, Metrics) for _, p in parts) or all(isinstance(p, Idle) for _, p in parts):
        return ()
    counted = tuple((i, _of_earlier(p, base, setting)) for i, p in parts)
    unclear = next((p for _, p in counted if isinstance(p, Dead)), None)
    if unclear is not None:
        return (Candidate(intent=base, edges=path, dead=unclear),)
    parts = tuple((i, in_the_same_year(p, base)) for i, p in counted if not isinstance(p, Dead))
    parts = tuple((i, _share_of_all(p)) for i, p in parts)
    if joining is Joining.ADDS:
        for op in ("set_metric", "either_metric", "bare_metric"):
            parts = _as(parts, op, "add_metric")
    edits = [p for _, p in parts if isinstance(p, Edit)]
    metas = [e for e in edits if is_meta(e)]
    if metas:
        return (meta_of(path, metas[0], base),) if len(edits) == 1 else ()
    cohorts = [e for e in edits if e.op == "cohort"]
    if cohorts:
        return (cohort_of(path, cohorts[0], base, setting),) if len(edits) == 1 else ()
    if any(e.op == "bare_metric" for e in edits) and (joining or not _may_continue(parts, base)):
        return ()
    if any(e.op == "either_metric" for e in edits):
        ways = (("either_metric", "set_metric"), ("either_metric", "add_metric"))
        return tuple(c for old, new in ways for c in _reads(path, _as(parts, old, new), setting, base, joining=joining))
    return _reads(path, _as(parts, "bare_metric", "set_metric"), setting, base, joining=joining)


def _of_earlier(part: Part, base: MetricIntent, setting: Setting) -> Part | Dead:
    """The fragment as it is after the earlier plan; Dead where it cannot be told from which day or rows it counts."""
    steps: tuple[Callable[[Part], Part | Dead], ...] = (
        lambda p: continued(p, base, setting.snapshot, setting.today),
        lambda p: counted_from(p, base, setting.snapshot.calendar),
        lambda p: in_part_of_year(p, base),
    )
    found: Part | Dead = part
    for step in steps:
        found = found if isinstance(found, Dead) else step(found)
    return found


def _share_of_all(part: Part) -> Part:
    """ "as a share" as an edit: over what the plan of the turn before is grouped by."""
    return Edit(op="share") if part == Calculated(type="share_of_total") else part


def bare_and_broken(edited: tuple[Candidate, ...]) -> bool:
    """Whether a bare metric was meant for the earlier plan, as far as one can tell, and does not go with it."""
    bare = [c for c in edited if any(isinstance(p, Edit) and p.op == "bare_metric" for e in c.edges for p in e.meaning)]
    return bool(bare) and all(c.dead is not None for c in edited)


def alone(candidate: Candidate) -> Candidate:
    """The reading as a question of its own, to be asked about: it leaves the earlier plan behind."""
    if candidate.dead is not None:
        return candidate
    opening = Opening(slot=Slot.SCOPE, word="", plans=(candidate.intent,), leaves="what was said before")
    return replace(candidate, openings=(*candidate.openings, opening))


def _as(parts: Placed, old: str, new: str) -> Placed:
    """The fragments with one kind of edit taken as another."""
    return tuple((i, replace(p, op=new) if isinstance(p, Edit) and p.op == old else p) for i, p in parts)


def _may_continue(parts: Placed, base: MetricIntent) -> bool:
    """Whether a bare metric may speak about the earlier period: it names none, and there is one."""
    timed = any(isinstance(p, When | Compared) for _, p in parts)
    return not timed and base.time_range is not None and base.time_range.start is not None


def _reads(
    path: tuple[Edge, ...], parts: Placed, setting: Setting, base: MetricIntent, *, joining: Joining
) -> tuple[Candidate, ...]:
    edits = [p for _, p in parts if isinstance(p, Edit)]
    choices = [_targets(ref, setting) for e in edits if e.op.endswith("_metric") for ref in e.refs]
    found = [_edited(path, parts, setting, base, tuple(combo), joining=joining) for combo in product(*choices)]
    alive = [c for c in found if c.dead is None]
    if len(found) > 1 and alive:
        ref = next(ref for e in edits if e.op.endswith("_metric") for ref in e.refs if len(_targets(ref, setting)) > 1)
        opening = Opening(slot=Slot.METRIC, word=ref.surface, plans=tuple(c.intent for c in alive))
        return (replace(alive[0], openings=(opening,)),)
    return tuple(found)


def _targets(ref: Ref, setting: Setting) -> tuple[str, ...]:
    return tuple(m for m in ref.targets if setting.permitted(m)) if ref.kind is BoundTo.METRIC else ()


def _metrics_after(edits: list[Edit], base: MetricIntent, chosen: tuple[str, ...]) -> tuple[str, ...]:
    if any(e.op == "set_metric" for e in edits):
        return chosen
    return tuple(dict.fromkeys((*base.metrics, *chosen)))


def _focus(setting: Setting, base: MetricIntent, metrics: tuple[str, ...]) -> Focus:
    things = "rows" if base.dimensions or base.entity else ""
    if metrics:
        entity, reach = entity_of_metric(setting.snapshot, metrics[0]), reach_of(setting.snapshot, metrics)
    else:
        entity = base.entity or ""
        reach = reach_of_entity(setting.snapshot, entity) if entity else frozenset()
    given = {"reach": setting.seen(reach), "grouped": frozenset(base.dimensions)}
    return Focus(setting=setting, metrics=metrics, entity=entity, things=things, **given)


def _edited(
    path: tuple[Edge, ...],
    parts: Placed,
    setting: Setting,
    base: MetricIntent,
    chosen: tuple[str, ...],
    *,
    joining: Joining,
) -> Candidate:
    edits = [p for _, p in parts if isinstance(p, Edit)]
    metrics = _metrics_after(edits, base, chosen)
    focus = _focus(setting, base, metrics)
    main = TimeReading(range=base.time_range) if base.time_range else None
    named = tuple((i, p) for i, p in parts if not isinstance(p, Edit))
    pieces = (*pieces_for(named, focus, main, grain=base.grain), told_meanings(edits, focus))
    reason = next((p.dead for p in pieces if p.dead), None)
    if reason is None:
        start = _with_edits(base, edits, metrics, focus)
        reason = _broken(start, focus) if isinstance(start, MetricIntent) else start
    strength, spans = cost_of(path)
    candidate = Candidate(
        intent=base,
        edges=path,
        dead=reason,
        paths=certify_paths(path, pieces),
        strength=strength,
        spans=spans,
    )
    if reason is not None or not isinstance(start, MetricIntent):
        return candidate
    return _applied(candidate, start, (parts, pieces), focus, joining=joining)


def _applied(
    candidate: Candidate, start: MetricIntent, read: tuple[Placed, tuple[Piece, ...]], focus: Focus, *, joining: Joining
) -> Candidate:
    parts, pieces = read
    ops = {p.op for _, p in parts if isinstance(p, Edit)}
    ways = [tuple(w for writes in way for w in writes) for way in product(*(p.alternatives for p in pieces))]
    defaults = tuple(d for p in pieces for d in p.defaults)
    plans: list[MetricIntent] = []
    for way in (w for w in ways[:16] if not contradict(w)):
        for plan in _apply(start, way, ops, joining=joining):
            disclosed = _disclosed(start, way, defaults)
            inherited = ("inherited_from_turn", len(focus.setting.turns))
            notes = (*(n for n in plan.notes if n[0] != inherited[0]), inherited)
            plans.append(members_after(replace(plan, defaults_used=disclosed, notes=notes)))
    found = _settled(start, plans, focus, share="share" in ops)
    if isinstance(found, Dead):
        return replace(candidate, dead=found)
    plans = list(found)
    openings: list[Opening] = list(scope_openings([p for _, p in parts], plans[0]))
    if any(p.open for p in pieces) or len(plans) > 1:
        first = next((p for p in pieces if len(p.alternatives) > 1 or p.open), None)
        slot = first.slot if first and first.slot else Slot.DIMENSION
        openings.append(Opening(slot=slot, word=first.word if first else "", plans=tuple(plans)))
    if any(isinstance(p, Groups) and not p.refs for _, p in parts):
        openings.append(Opening(slot=Slot.DIMENSION, word=""))
    return replace(candidate, intent=plans[0], openings=tuple(openings), defaults=plans[0].defaults_used)


def _settled(
    base: MetricIntent, plans: list[MetricIntent], focus: Focus, *, share: bool
) -> tuple[MetricIntent, ...] | Dead:
    """The edited plans with what the edit does to rankings, comparisons and shares; Dead where that is not clear."""
    if not plans:
        return Dead(code="contradiction")
    if focus.setting.contrasts:
        plans = [way for plan in plans for way in contrasted(base, plan)]
    averaged = next((d for p in plans if (d := averaged_anew(base, p))), None)
    if averaged is not None:
        return averaged
    ranked = ranked_after(base, plans)
    if isinstance(ranked, Dead):
        return ranked
    compared = [compared_after(base, p, focus.setting) for p in ranked]
    unclear = next((p for p in compared if isinstance(p, Dead)), None)
    alive = dict.fromkeys(p for p in compared if isinstance(p, MetricIntent))
    shared = unclear or shared_after(base, alive, focus, asked=share)
    if isinstance(shared, Dead):
        return shared
    return next((d for p in shared if (d := unsound_exclusion(p, focus.setting.snapshot))), shared)


def _disclosed(start: MetricIntent, way: Writes, defaults: tuple[Default, ...]) -> tuple[Default, ...]:
    timed = any(w.field in {"time_range", "narrowed_range"} for w in way)
    compared = any(w.field == "comparison" for w in way)
    dropped = (_ABOUT_TIME if timed else frozenset()) | (_ABOUT_BASE if compared else frozenset())
    kept = (d for d in start.defaults_used if d.key not in dropped)
    return tuple(dict.fromkeys((*kept, *defaults)))


_ABOUT_BASE = frozenset({"comparison", "comparison_base", "partial_period", "anchor"})
_ABOUT_TIME = frozenset(
    {
        "time_range",
        "trend_range",
        "snapshot",
        "year",
        "anchor",
        "to_date",
        "unfinished_period",
        "partial_period",
        "range_end",
    }
)


def _with_edits(base: MetricIntent, edits: list[Edit], metrics: tuple[str, ...], focus: Focus) -> MetricIntent | Dead:
    plan = replace(base, metrics=metrics, kind=IntentKind.QUERY if base.kind is IntentKind.EXTREME else base.kind)
    if any(e.op == "set_metric" for e in edits):
        order = tuple(Order(by=metrics[0] if o.by in base.metrics else o.by, direction=o.direction) for o in plan.order)
        having = tuple(h for h in plan.having if h.metric in metrics)
        if having != plan.having:
            return Dead(code="unsupported", words=("the condition on the earlier metric",))
        plan = replace(plan, order=order, time_dimension=None)
    for edit in edits:
        changed = _dropped(plan, edit, focus)
        if isinstance(changed, Dead):
            return changed
        plan = changed
    return plan


def _dropped(plan: MetricIntent, edit: Edit, focus: Focus) -> MetricIntent | Dead:
    if edit.op == "drop_groups":
        return replace(plan, dimensions=(), grain=None, order=(), limit=None, per_group=None, visual=None)
    if edit.op == "drop":
        names = _named(edit.refs[0], focus)
        kept = tuple(d for d in plan.dimensions if d not in names)
        filters = tuple(f for f in plan.filters if f.field not in names)
        changed = (kept != plan.dimensions) + (filters != plan.filters)
        return replace(plan, dimensions=kept, filters=filters) if changed == 1 else _absent(edit.refs[0])
    if edit.op == "drop_filter":
        names = _named(edit.refs[0], focus) if edit.refs else {f.field for f in plan.filters}
        filters = tuple(f for f in plan.filters if f.field not in names)
        return (
            replace(plan, filters=filters) if filters != plan.filters else _absent(edit.refs[0] if edit.refs else None)
        )
    if edit.op == "swap":
        return _swapped(plan, edit, focus)
    return plan


def _absent(ref: Ref | None) -> Dead:
    return Dead(code="unsupported", words=(ref.surface if ref else "the filter",))


def _named(ref: Ref, focus: Focus) -> set[str]:
    if ref.kind is BoundTo.ENTITY:
        return {d for e in ref.targets if (d := label_of_entity(focus.setting.snapshot, e))}
    return set(ref.targets)


def _swapped(plan: MetricIntent, edit: Edit, focus: Focus) -> MetricIntent | Dead:
    old, new = (_named(ref, focus) for ref in edit.refs)
    fitting = sorted(d for d in new if focus.reaches(d))
    if len(fitting) != 1 or not old & set(plan.dimensions):
        return _absent(edit.refs[0])
    return replace(plan, dimensions=tuple(fitting[0] if d in old else d for d in plan.dimensions))


def _broken(plan: MetricIntent, focus: Focus) -> Dead | None:
    """Inherited parts that the new metrics do not reach."""
    used = (*plan.dimensions, *(f.field for f in plan.filters))
    lost = tuple(d for d in used if not focus.reaches(d))
    return Dead(code="incompatible", words=lost) if lost else None


def _apply(plan: MetricIntent, way: Writes, ops: set[str], *, joining: Joining) -> list[MetricIntent]:
    """The plan with the writes done: a value replaces, a list joins or replaces as the words say."""
    plain: dict[str, Any] = {}
    dimensions: list[str] = []
    plans_filters = [plan.filters]
    having: tuple[MetricCondition, ...] = plan.having
    for write in way:
        if write.field == "dimensions":
            dimensions.append(write.value)
        elif write.field == "filters":
            plans_filters = [f for held in plans_filters for f in filtered(held, write.value, joining=joining)]
        elif write.field == "having":
            having = (*(h for h in having if h.metric != write.value.metric), write.value)
        elif write.field == "order":
            plain["order"] = (write.value,)
        elif write.field == "transforms":
            plain["transforms"] = (*plan.transforms, write.value)
        elif write.field not in {"notes", "elapsed_until"}:
            plain["time_range" if write.field == "narrowed_range" else write.field] = write.value
    base = replace(plan, having=having, **plain)
    until = next((w.value for w in way if w.field == "elapsed_until"), None)
    if until is not None and base.time_range is not None:
        base = replace(base, time_range=cut_at(base.time_range, until))
    return [
        replace(base, dimensions=named, filters=filters)
        for named in _grouped(plan, dimensions, ops)
        for filters in plans_filters
    ]


def _grouped(plan: MetricIntent, named: list[str], ops: set[str]) -> list[tuple[str, ...]]:
    held = plan.dimensions
    if not named:
        return [held]
    added = tuple(dict.fromkeys((*held, *named)))
    if "add_group" in ops:
        return [added]
    if not held or ops & {"set_group", "drill"} or set(named) >= set(held):
        return [tuple(dict.fromkeys(named))]
    return [tuple(dict.fromkeys(named)), added]

"""One covering of the question → its readings as plans, each part traced to its phrase."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from catalog.query import IntentKind, MetricIntent
from catalog.types import MetricFormat, TimeGranularity
from dataagent.intent.candidate import Candidate, Dead, Opening, Slot, refused
from dataagent.intent.chart import Edge
from dataagent.intent.derived import READ_AS
from dataagent.intent.obligations import needed_writes, obligations_of
from dataagent.intent.parts import (
    Calculated,
    Compared,
    Defined,
    Grain,
    Idle,
    Measured,
    Metrics,
    Part,
    RankBy,
    Ranked,
    Ref,
    Refused,
    Shown,
    Sorted,
    Subjects,
    Summed,
    Things,
    TimeReading,
    Trend,
    ValueRef,
    When,
)
from dataagent.intent.resultparts import Did, Present, TwoSides
from dataagent.intent.typefilter.combining import BESIDE_SETS, beside_sets
from dataagent.intent.typefilter.comparisons import comparison_piece
from dataagent.intent.typefilter.datings import TWO_SPLITS, splits_twice, undated_event
from dataagent.intent.typefilter.elapsed import cut_where_running
from dataagent.intent.typefilter.exclusions import unsound_exclusion
from dataagent.intent.typefilter.meanings import told_meanings
from dataagent.intent.typefilter.members import grouped_by
from dataagent.intent.typefilter.periods import narrowed
from dataagent.intent.typefilter.pieces import Focus, Piece, Setting, plans_of
from dataagent.intent.typefilter.ranks import rank_by_piece
from dataagent.intent.typefilter.resolvers import plain_pieces
from dataagent.intent.typefilter.results import calculated_piece, restarted
from dataagent.intent.typefilter.several import shown_apart
from dataagent.intent.typefilter.shares import settled
from dataagent.intent.typefilter.shown import shown_piece
from dataagent.intent.typefilter.sorting import sorted_piece
from dataagent.intent.typefilter.subjects import subject_pieces
from dataagent.intent.typefilter.sums import summed_metrics
from dataagent.intent.types import BoundTo
from dataagent.intent.view import (
    count_metrics,
    counts_distinct,
    entity_of_dimension,
    entity_of_metric,
    is_additive,
    is_count,
    is_semi_additive,
    reach_of,
    reach_of_entity,
)

NO_LATEST = "Only a level, such as a stock, has a latest figure. Name a period instead."
NO_TOTAL = "This metric has no total: its parts do not add up."
Placed = tuple[tuple[int, Part], ...]


def placed_parts(path: tuple[Edge, ...]) -> Placed:
    """Every fragment of the covering with the position of its phrase."""
    return tuple((i, part) for i, edge in enumerate(path) for part in edge.meaning)


def readings(path: tuple[Edge, ...], setting: Setting) -> tuple[Candidate, ...]:
    """The readings of one covering.  An ambiguous metric makes one reading with an opening."""
    parts = restarted(narrowed(placed_parts(path)))
    several = shown_apart(parts, named_by_verb=any(m.note.startswith(READ_AS) for e in path for m in e.marks))
    if isinstance(several, Dead):
        return (_dead(path, several),)
    parts = several
    if all(isinstance(p, Idle) for _, p in parts):
        return ()
    if any(isinstance(p, Defined) for _, p in parts):
        return (_defined(path, parts),)
    refusal = next((p for _, p in parts if isinstance(p, Refused)), None)
    if refusal is not None:
        return (_dead(path, refused(refusal.code)),)
    undated = undated_event(path, setting.snapshot)
    if undated is not None:
        return (_dead(path, undated),)
    mentions = _mentions(parts, setting)
    choices = [_metric_targets(m, setting) for m in mentions]
    if any(not c for c in choices):
        lost = tuple(m for m, c in zip(mentions, choices, strict=True) if not c)
        words = tuple(ref.surface for ref, _ in lost)
        counting = any(count or ref.kind is BoundTo.ENTITY for ref, count in lost)
        message = f"No metric counts {', '.join(words)}. Ask what can be measured." if counting else ""
        return (_dead(path, Dead(code="unsupported", words=words, message=message)),)
    combined = [_reading(path, parts, setting, tuple(dict.fromkeys(combo))) for combo in product(*choices)]
    if len(combined) == 1:
        return tuple(combined)
    alive = [c for c in combined if c.dead is None]
    if not alive:
        return (combined[0],)
    open_ref = next(m[0] for m, c in zip(mentions, choices, strict=True) if len(c) > 1)
    plans = tuple(dict.fromkeys(p for c in alive for p in _plans_in(c)))
    opening = Opening(slot=Slot.METRIC, word=open_ref.surface, plans=plans)
    return (replace(alive[0], openings=(opening, *alive[0].openings)),)


def _defined(path: tuple[Edge, ...], parts: Placed) -> Candidate:
    """A question about the catalog itself; nothing else may stand in it."""
    asked = [(i, p) for i, p in parts if not isinstance(p, Idle)]
    first = asked[0][1]
    if len(asked) != 1 or not isinstance(first, Defined):
        return _dead(path, Dead(code="unsupported", words=("a definition together with a query",)))
    subjects = first.ref.targets if first.ref else (first.subject,)
    plans = tuple(MetricIntent(kind=IntentKind.DEFINE, subject=s, aspect=first.aspect) for s in subjects)
    fields = tuple(("subject", "aspect") if i == asked[0][0] else () for i in range(len(path)))
    openings: tuple[Opening, ...] = ()
    if len(plans) > 1 and first.ref:
        openings = (Opening(slot=Slot.METRIC, word=first.ref.surface, plans=plans),)
    return Candidate(intent=plans[0], edges=path, paths=fields, openings=openings)


def _plans_in(candidate: Candidate) -> tuple[MetricIntent, ...]:
    return (
        candidate.openings[0].plans[:2] if candidate.openings and candidate.openings[0].plans else (candidate.intent,)
    )


def _dead(path: tuple[Edge, ...], reason: Dead) -> Candidate:
    return Candidate(intent=MetricIntent(), edges=path, dead=reason)


def _mentions(parts: Placed, setting: Setting) -> tuple[tuple[Ref, bool], ...]:
    """Metric mentions in plan order, each once: heads, then what conditions and rankings are about."""
    found: list[tuple[Ref, bool]] = []
    for _, part in parts:
        if isinstance(part, Metrics) and not part.shown:
            found.extend((ref, part.count) for ref in part.refs)
        if isinstance(part, Summed):
            targets = summed_metrics(part, setting.snapshot)
            found.append((replace(part.ref, kind=BoundTo.METRIC, targets=targets), False))
    for _, part in parts:
        ref = part.by if isinstance(part, Ranked) else part.ref if isinstance(part, _ABOUT) else None
        if ref is not None and ref.kind is BoundTo.METRIC:
            found.append((ref, False))
        elif isinstance(part, Ranked) and part.ask == "count" and part.things is not None:
            found.append((_rows_of(part.things, setting), True))
    found.extend((ref, p.count) for _, p in parts if isinstance(p, Metrics) and p.shown for ref in p.refs)
    unique: dict[str, tuple[Ref, bool]] = {}
    for ref, count in found:
        unique.setdefault("/".join(ref.targets), (ref, count))
    return tuple(unique.values())


_ABOUT = RankBy | Measured | Present | Did | TwoSides


def _rows_of(things: Ref, setting: Setting) -> Ref:
    """What is counted for "most used": the rows that carry the dimension."""
    if things.kind is BoundTo.ENTITY:
        return Ref(kind=BoundTo.ENTITY, targets=(), surface=things.surface)
    entities = tuple(dict.fromkeys(entity_of_dimension(setting.snapshot, d) for d in things.targets))
    return Ref(kind=BoundTo.ENTITY, targets=entities, surface=things.surface)


def _metric_targets(mention: tuple[Ref, bool], setting: Setting) -> tuple[str, ...]:
    ref, count = mention
    if ref.kind is BoundTo.ENTITY:
        return tuple(m for e in ref.targets for m in count_metrics(setting.snapshot, e) if setting.permitted(m))
    names = tuple(m for m in ref.targets if setting.permitted(m))
    return tuple(m for m in names if is_count(setting.snapshot, m)) if count else names


def _reading(path: tuple[Edge, ...], parts: Placed, setting: Setting, metrics: tuple[str, ...]) -> Candidate:
    parts, metrics = _declared_ratio(parts, setting, metrics)
    focus = _focus(parts, setting, metrics)
    pieces = pieces_for(parts, focus)
    reason = next((p.dead for p in pieces if p.dead is not None), None)
    total = any(isinstance(p, Metrics) and p.total for _, p in parts)
    if total and not all(is_additive(setting.snapshot, m) for m in metrics):
        reason = reason or Dead(code="unsupported", words=("total",), message=NO_TOTAL)
    distinct = any(isinstance(p, Metrics) and p.distinct for _, p in parts)
    if distinct and not all(counts_distinct(setting.snapshot, m) for m in metrics):
        reason = reason or Dead(code="unsupported", words=("different",))
    latest = any(isinstance(p, Metrics) and p.latest for _, p in parts)
    if latest and not _has_latest(parts, metrics, setting):
        reason = reason or Dead(code="unsupported", words=("latest",), message=NO_LATEST)
    strength, spans = cost_of(path)
    candidate = Candidate(
        intent=MetricIntent(metrics=metrics),
        edges=path,
        dead=reason,
        paths=certify_paths(path, pieces),
        strength=strength,
        spans=spans,
        joined=sum(p.joined for p in pieces),
    )
    if reason is not None:
        return candidate
    return _planned(candidate, parts, focus, pieces)


def _has_latest(parts: Placed, metrics: tuple[str, ...], setting: Setting) -> bool:
    """Whether "latest" names the level of the last complete day: only of levels, and without another period."""
    timed = any(isinstance(p, When | Grain | Trend | Compared) for _, p in parts)
    return not timed and all(is_semi_additive(setting.snapshot, m) for m in metrics)


_AS_PERCENT = ("as", "percent")


def _declared_ratio(parts: Placed, setting: Setting, metrics: tuple[str, ...]) -> tuple[Placed, tuple[str, ...]]:
    """One metric per another is the catalog's own ratio where it declares one."""
    wanted = [p for _, p in parts if isinstance(p, Calculated) and p.type == "ratio"]
    if not wanted or len(metrics) != 2:
        return parts, metrics
    for metric in setting.snapshot.metrics:
        top, bottom = metric.numerator, metric.denominator
        if top is None or bottom is None or top.filters or bottom.filters or not setting.permitted(metric.name):
            continue
        if _AS_PERCENT in wanted[0].arguments and metric.format is not MetricFormat.PERCENT:
            continue
        if (top.metric, bottom.metric) == metrics:
            return tuple((i, p) for i, p in parts if p not in wanted), (metric.name,)
    return parts, metrics


def _focus(parts: Placed, setting: Setting, metrics: tuple[str, ...]) -> Focus:
    listed = next((p.ref for _, p in parts if isinstance(p, Things)), None)
    things = listed.surface if listed else ""
    snapshot = setting.snapshot
    if metrics:
        entity, reach = entity_of_metric(snapshot, metrics[0]), reach_of(snapshot, metrics)
    elif listed is not None and listed.kind is BoundTo.ENTITY:
        entity, reach = listed.targets[0], reach_of_entity(snapshot, listed.targets[0])
    elif field := next((p.ref for _, p in parts if isinstance(p, Calculated) and p.ref is not None), None):
        entity = entity_of_dimension(snapshot, field.targets[0])
        reach = reach_of_entity(snapshot, entity)
    else:
        entity, reach = "", _everything(setting)
    return Focus(setting=setting, metrics=metrics, entity=entity, reach=setting.seen(reach), things=things)


def _everything(setting: Setting) -> frozenset[str]:
    names: set[str] = set()
    for metric in setting.snapshot.metrics:
        if setting.permitted(metric.name):
            names |= reach_of(setting.snapshot, (metric.name,))
    return frozenset(names)


def _planned(candidate: Candidate, parts: Placed, focus: Focus, pieces: tuple[Piece, ...]) -> Candidate:
    if beside_sets(tuple(p for _, p in parts), focus):
        return replace(candidate, dead=Dead(code="unsupported", message=BESIDE_SETS))
    if splits_twice(pieces):
        return replace(candidate, dead=Dead(code="unsupported", message=TWO_SPLITS))
    extra, defaults = needed_writes(parts, focus, pieces)
    disclosed = (*(d for p in pieces for d in p.defaults), *defaults)
    start = MetricIntent(metrics=_shown_metrics(parts, focus), defaults_used=tuple(dict.fromkeys(disclosed)))
    plans = tuple(dict.fromkeys(cut_where_running(p, focus.setting) for p in plans_of(start, (*pieces, extra))))
    if not plans:
        return replace(candidate, dead=Dead(code="contradiction", words=()))
    unsound = next((d for p in plans if (d := unsound_exclusion(p, focus.setting.snapshot))), None)
    if unsound is not None:
        return replace(candidate, dead=unsound)
    shared = [settled(p, focus) for p in plans]
    plans = tuple(p for p in shared if isinstance(p, MetricIntent))
    if not plans:
        return replace(candidate, dead=next(p for p in shared if isinstance(p, Dead)))
    openings = list(obligations_of(parts, focus, plans[0]))
    openings.extend(
        Opening(slot=p.slot or Slot.SCOPE, word=p.word, plans=plans, why=p.why)
        for p in pieces
        if len(p.alternatives) > 1 or p.open
    )
    openings.sort(key=lambda o: tuple(Slot).index(o.slot))
    return replace(candidate, intent=plans[0], openings=tuple(openings), defaults=plans[0].defaults_used)


def _shown_metrics(parts: Placed, focus: Focus) -> tuple[str, ...]:
    """The metrics of the plan: what only a verb names is a condition and no figure."""
    about = [p for _, p in parts if isinstance(p, Metrics | Summed | Ranked | _ABOUT)]
    return () if about and all(isinstance(p, Did | TwoSides) for p in about) else focus.metrics


def pieces_for(
    parts: Placed, focus: Focus, inherited: TimeReading | None = None, *, grain: TimeGranularity | None = None
) -> tuple[Piece, ...]:
    """What each fragment writes.  A follow-up inherits its period and perhaps a granularity."""
    when = list(dict.fromkeys(p.reading for _, p in parts if isinstance(p, When)))
    main = when[0] if len(when) == 1 else inherited if not when else None
    grain = _grain_of(parts, focus) or grain
    ranked = any(isinstance(p, Ranked) and p.ask != "order" for _, p in parts)
    focus = replace(focus, grouped=focus.grouped | grouped_by((p for _, p in parts), focus))
    ranking = _ranking(parts, focus)
    found: list[Piece] = []
    for edge, part in parts:
        if isinstance(part, Compared):
            found.append(comparison_piece(edge, part, focus, main, grain=grain))
        elif isinstance(part, RankBy):
            found.append(rank_by_piece(edge, part, ranking, ranked=ranked))
        elif isinstance(part, Sorted):
            found.append(sorted_piece(edge, part, focus, tuple(p for _, p in parts)))
        elif isinstance(part, Subjects):
            found.extend(subject_pieces(edge, part, focus, tuple(p for _, p in parts)))
        elif isinstance(part, Calculated | Shown):
            continue
        else:
            found.extend(plain_pieces(edge, part, ranking if isinstance(part, Ranked) else focus))
    for edge, part in parts:
        if isinstance(part, Calculated):
            found.append(calculated_piece(edge, part, focus, tuple(found)))
        elif isinstance(part, Shown):
            found.append(shown_piece(edge, part, focus, tuple(found)))
    return (*found, told_meanings((part for _, part in parts), focus))


def _ranking(parts: Placed, focus: Focus) -> Focus:
    """The focus of a ranking: the metric that it is by comes first."""
    measure = {m for _, p in parts if isinstance(p, RankBy) for m in focus.metrics if m in p.ref.targets}
    return replace(focus, metrics=tuple(sorted(focus.metrics, key=lambda m: m not in measure)))


def _grain_of(parts: Placed, focus: Focus) -> TimeGranularity | None:
    """The size of the periods that the fragments ask for, named or as a course over time; None without any."""
    named = (getattr(p, "grain", None) for _, p in parts if isinstance(p, Grain | Shown | Calculated))
    found = next((g for g in named if g is not None), None)
    snapshot = focus.setting.snapshot
    trend = any(isinstance(p, Trend) or (isinstance(p, When) and p.reading.trend) for _, p in parts)
    running = any(isinstance(p, Calculated) and p.type == "running_total" for _, p in parts)
    return found or (snapshot.defaults.trend_grain if trend or running else None)


def certify_paths(path: tuple[Edge, ...], pieces: tuple[Piece, ...]) -> tuple[tuple[str, ...], ...]:
    """For each phrase the fields of the plan that it writes."""
    found: list[tuple[str, ...]] = []
    for position, edge in enumerate(path):
        fields = [w.field for p in pieces if p.edge == position for w in p.alternatives[0]]
        if any(isinstance(part, Metrics | RankBy | Measured | Present | Summed) for part in edge.meaning):
            fields.append("metrics")
        if any(isinstance(part, Trend) for part in edge.meaning):
            fields.append("grain")
        found.append(tuple(dict.fromkeys(fields)))
    return tuple(found)


def cost_of(path: tuple[Edge, ...]) -> tuple[int, int]:
    """How far from exact names, and in how many spans."""
    strength = sum(_strength(part) for edge in path for part in edge.meaning)
    return strength, sum(len(edge.marks) for edge in path)


def _strength(part: Part) -> int:
    total = 0
    for name in ("ref", "things", "by", "noun"):
        held = getattr(part, name, None)
        total += held.strength if isinstance(held, Ref) else 0
    for held in (*getattr(part, "refs", ()), *getattr(part, "values", ())):
        total += held.strength if isinstance(held, Ref | ValueRef) else 0
    return total

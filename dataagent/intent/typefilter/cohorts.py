"""Things by when they came to be: the verb names the metric that counts each of them on that day."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from catalog.calculations import CONVERSION
from catalog.entities import counts_rows
from catalog.lookup import Held, lookup
from catalog.query import IntentKind, MetricIntent, TimeRange, Transform
from catalog.reach import model_of_entity
from catalog.types import CatalogSnapshot, Filter, Operator
from dataagent.intent.candidate import Candidate, Dead
from dataagent.intent.chart import Edge
from dataagent.intent.derived import doers
from dataagent.intent.parts import Edit, Ref, When
from dataagent.intent.resultparts import Came, CameIn
from dataagent.intent.typefilter.periods import when_piece
from dataagent.intent.typefilter.pieces import Focus, Piece, Setting, Slot, Write, Writes, dead, piece
from dataagent.intent.view import entity_of_metric, metric_of


def came_piece(edge: int, part: Came, focus: Focus) -> Piece:
    """Nothing to write where the metric counts the things as they come to be; else the words are another question."""
    day = day_of(part.things, part.verb, focus.setting.snapshot)
    if day:
        return piece(edge)
    things = part.things.surface
    message = (
        f"It is open what is counted: {things}, or what was {part.verb.surface}. Ask “how many different {things} …”."
    )
    return dead(edge, "unsupported", "", message)


def came_in_piece(edge: int, part: CameIn, focus: Focus) -> Piece:
    """The day on which the things came to be, between the ends of the period."""
    day = day_of(part.things, part.verb, focus.setting.snapshot)
    if not day or day not in focus.reach:
        return dead(edge, "unsupported", part.verb.surface)
    found = when_piece(edge, When(reading=part.reading), focus)
    if found.dead is not None:
        return found
    ways = tuple(_between(day, way) for way in found.alternatives)
    if not all(ways):
        return dead(edge, "unsupported", part.verb.surface)
    defaults = tuple(d for d in found.defaults if d.key != "unfinished_period")
    return Piece(
        edge=edge,
        alternatives=ways,
        slot=Slot.TIME,
        word=found.word,
        why=found.why,
        defaults=defaults,
        open=found.open,
    )


def _between(day: str, way: Writes) -> Writes:
    """The window as conditions on the day; () where it is no window alone."""
    if len(way) != 1 or not isinstance(way[0].value, TimeRange):
        return ()
    window = way[0].value
    if window.start is not None and window.end is not None:
        days = (window.start, window.end - timedelta(days=1))
        return (Write(field="filters", value=Filter(field=day, op=Operator.BETWEEN, values=days)),)
    op, end = (Operator.GE, window.start) if window.end is None else (Operator.LT, window.end)
    return (Write(field="filters", value=Filter(field=day, op=op, values=(end,))),) if end is not None else ()


def cohort_of(path: tuple[Edge, ...], edit: Edit, base: MetricIntent, setting: Setting) -> Candidate:
    """ "How many of those ordered?" after how many came to be: those of them that did, by the day they came."""
    verb, name = edit.refs[0], base.metrics[0] if len(base.metrics) == 1 else ""
    entity = entity_of_metric(setting.snapshot, name)
    day = _day(entity, name, setting.snapshot)
    found = tuple(m for m in doers(verb.surface, entity, setting.index) if setting.permitted(m))
    plain = not (base.grain or base.comparison or base.transforms or base.having or base.limit or base.time_dimension)
    if not day or len(found) != 1 or not plain or base.kind is not IntentKind.QUERY:
        return Candidate(intent=base, edges=path, dead=Dead(code="unsupported", words=(verb.surface,)))
    made = Transform(type=CONVERSION, arguments=(("from", name), ("to", verb.targets[0])))
    notes = (("inherited_from_turn", len(setting.turns)),)
    plan = replace(
        base, kind=IntentKind.COHORT_COUNT, metrics=found, time_dimension=day, transforms=(made,), notes=notes
    )
    paths = tuple(("kind", "metrics", "transforms", "time_dimension") for _ in path)
    return Candidate(intent=plan, edges=path, paths=paths)


def day_of(things: Ref, verb: Ref, snapshot: CatalogSnapshot) -> str:
    """The time dimension that says when each of the things came to be; "" where the verb says nothing of the kind."""
    entity = things.targets[0] if len(things.targets) == 1 else ""
    return _day(entity, verb.targets[0] if len(verb.targets) == 1 else "", snapshot)


def _day(entity: str, name: str, snapshot: CatalogSnapshot) -> str:
    model = model_of_entity(snapshot, entity) if entity else None
    metric = metric_of(snapshot, name)
    if model is None or metric is None or entity_of_metric(snapshot, name) != entity:
        return ""
    parts = lookup(snapshot)
    held = parts.measure(metric.measure or "")
    if held is None or not counts_rows(snapshot, metric.measure or "", model.name):
        return ""
    time = held[1].agg_time_dimension or metric.time_dimension or model.default_time_dimension
    own = next((d for d in model.dimensions if d.name == time), None)
    return parts.canonical(Held(model, own)) if own else ""

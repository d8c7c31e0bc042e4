"""Things by when they came to be: the verb names the metric that counts each of them on that day."""

from __future__ import annotations

from datetime import timedelta

from catalog.entities import counts_rows
from catalog.lookup import Held, lookup
from catalog.query import TimeRange
from catalog.reach import model_of_entity
from catalog.types import CatalogSnapshot, Filter, Operator
from dataagent.intent.parts import Ref, When
from dataagent.intent.resultparts import Came, CameIn
from dataagent.intent.typefilter.periods import when_piece
from dataagent.intent.typefilter.pieces import Focus, Piece, Slot, Write, Writes, dead, piece
from dataagent.intent.view import entity_of_metric, metric_of


def came_piece(edge: int, part: Came, focus: Focus) -> Piece:
    """Nothing to write where the metric counts the things as they come to be; else the words are another question."""
    day = day_of(part.things, part.verb, focus.setting.snapshot)
    return piece(edge) if day else dead(edge, "unsupported", part.verb.surface)


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


def day_of(things: Ref, verb: Ref, snapshot: CatalogSnapshot) -> str:
    """The time dimension that says when each of the things came to be; "" where the verb says nothing of the kind."""
    entity = things.targets[0] if len(things.targets) == 1 else ""
    model = model_of_entity(snapshot, entity) if entity else None
    name = verb.targets[0] if len(verb.targets) == 1 else ""
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

"""A plan in the JSON form of the evaluation questions, and its canonical form for comparison."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from catalog.calculated import ASKED_DIRECTION
from catalog.query import Comparison, MetricIntent, ThingsSet, TimeRange, Transform
from catalog.specs import EVERY, SOME
from catalog.timeparts import name_of, time_words, timed_group
from catalog.types import Filter, Scalar
from dataagent.intent.typefilter.several import separate_periods

Json = dict[str, Any]


def plan_json(intent: MetricIntent) -> Json:
    """The plan as the question lines write it."""
    plan: Json = {
        "kind": intent.kind.value,
        "metrics": list(intent.metrics),
        "dimensions": [d for d in intent.dimensions if timed_group(d) is None],
        "filters": [_filter(f) for f in intent.filters],
        "having": [
            {"metric": c.metric, "op": c.op.value, "value": _values(c.op.value, c.values)} for c in intent.having
        ],
        "time_range": _range(intent.time_range),
        "grain": intent.grain.value if intent.grain else _recurring(intent),
        "comparison": _comparison(intent.comparison),
        "transform": [_transform(t) for t in intent.transforms],
        "entity": intent.entity,
        "order": [{"by": o.by, "dir": o.direction.value} for o in intent.order],
        "limit": intent.limit,
        "per_group": intent.per_group,
        "answer_shape": intent.answer_shape,
        "defaults_used": [f"{d.key}={d.value}" for d in intent.defaults_used],
    }
    return {**plan, **_optional(intent)}


def _recurring(intent: MetricIntent) -> str | None:
    """What comes back in time, or a period of the company's own: "hour_of_day", "day_of_week", "sprint"."""
    words = (time_words(d) for d in intent.dimensions if timed_group(d) is not None)
    return next((name_of(w) for w in words), None)


def _optional(intent: MetricIntent) -> Json:
    found: Json = {}
    if intent.time_dimension:
        found["time_dimension"] = intent.time_dimension
    if intent.visual:
        found["visual"] = intent.visual
    if intent.entity_condition:
        first = intent.entity_condition[0]
        found["entity_condition"] = {
            "metric": first.metric,
            "op": first.op.value,
            "value": _values(first.op.value, first.values),
        }
    asked = next((str(value) for name, value in intent.notes if name == ASKED_DIRECTION), "")
    if asked:
        found["asked"] = asked
    if any(name == EVERY for name, _ in intent.notes):
        found["quantifier"] = "all"
    if any(name == SOME for name, _ in intent.notes):
        found["quantifier"] = "any"
    found.update(_several(intent))
    if len(intent.sets) == 2:
        one, other = intent.sets
        op = "difference" if other.absent else "intersection"
        found["set_op"] = {"op": op, "a": _things_set(one), "b": _things_set(other)}
    if intent.subject or intent.aspect:
        found["object"], found["aspect"] = intent.subject, intent.aspect
    return found


def _things_set(given: ThingsSet) -> Json:
    found: Json = {"metric": given.metric, "op": given.op.value, "value": _values(given.op.value, given.values)}
    if given.filters:
        found["filters"] = [_filter(f) for f in given.filters]
    return {**found, "time_range": _range(given.time_range)} if given.time_range else found


def _several(intent: MetricIntent) -> Json:
    """The periods in a row of which each is shown, in place of the window that holds them all."""
    found = separate_periods(intent.time_range)
    return {"time_range": None, "time_ranges": [_range(window) for window in found]} if found else {}


def _filter(condition: Filter) -> Json:
    op = condition.op.value
    return {"field": condition.field, "op": op, "value": _values(op, condition.values)}


def _values(op: str, values: tuple[Scalar, ...]) -> Any:
    plain = [_scalar(v) for v in values]
    return plain if op in {"in", "not in", "between"} else (plain[0] if plain else None)


def _scalar(value: Scalar) -> Any:
    if isinstance(value, Decimal):
        return float(value) if Decimal(repr(float(value))) == value else str(value)
    return value.isoformat() if isinstance(value, date) else value


def _range(window: TimeRange | None) -> Json | None:
    if window is None:
        return None
    found = {
        "expr": window.expr,
        "start": window.start.isoformat() if window.start else None,
        "end": window.end.isoformat() if window.end else None,
    }
    return {**found, "whole_end": window.whole_end.isoformat()} if window.whole_end else found


def _comparison(comparison: Comparison | None) -> Json | None:
    if comparison is None:
        return None
    found: Json = {"type": comparison.type, "calc": list(comparison.calc)}
    if comparison.field:
        found["field"], found["values"] = comparison.field, list(comparison.values)
    if comparison.range:
        found["range"] = _range(comparison.range)
    return found


def _transform(transform: Transform) -> Json:
    if transform.type == "rank" and transform.arguments:
        return {"type": "rank", "of": {k: _scalar(v) for k, v in transform.arguments}}
    return {"type": transform.type, **{k: _scalar(v) for k, v in transform.arguments}}


def canonical_plan(plan: Mapping[str, Any] | None) -> tuple[Any, ...]:
    """The comparable form of a plan: what the evaluation compares, sets unordered."""
    if plan is None:
        return ()
    window = plan.get("time_range") or {}
    comparison = plan.get("comparison") or {}
    if plan.get("kind") == "define":
        return ("define", plan.get("object"), plan.get("aspect"))
    return (
        frozenset(plan.get("metrics") or ()),
        frozenset(plan.get("dimensions") or ()),
        frozenset(_condition(f, "field") for f in plan.get("filters") or ()),
        frozenset(_condition(f, "metric") for f in plan.get("having") or ()),
        (window.get("start"), window.get("end")),
        plan.get("grain"),
        comparison.get("type"),
        frozenset(t.get("type") for t in plan.get("transform") or ()),
        plan.get("entity"),
        _frozen(plan.get("entity_condition")),
        _frozen(plan.get("set_op")),
        _frozen(plan.get("time_ranges")),
        tuple((o.get("by"), o.get("dir")) for o in plan.get("order") or ()),
        plan.get("limit"),
        plan.get("per_group"),
    )


def _condition(condition: Mapping[str, Any], key: str) -> tuple[Any, ...]:
    value = condition.get("value")
    op = condition.get("op")
    plain = frozenset(map(_number, value)) if isinstance(value, list) and op != "between" else _frozen(_number(value))
    return (condition.get(key), op, plain)


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return tuple(sorted((k, _frozen(v)) for k, v in value.items()))
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else _number(value)

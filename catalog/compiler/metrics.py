"""A spec's metrics by group as a relation, whatever is asked on top of them."""

from __future__ import annotations

from collections.abc import Iterator

from catalog.compiler.bindings import Bindings
from catalog.compiler.columns import metric_column
from catalog.compiler.filters import NEGATIONS
from catalog.compiler.parts import missing_of, parts_of
from catalog.compiler.plan import Formula, Single, Value, leaves_of
from catalog.compiler.recount import Reach, can_recount
from catalog.compiler.relation import MetricColumn, Relation
from catalog.compiler.sides import Plan, plan_of, plan_queries
from catalog.compiler.timelines import spans, timelines, timely_parts
from catalog.compiler.values import divides, fills_missing, fills_of
from catalog.labels import metric_label, with_capital
from catalog.lookup import lookup
from catalog.query import QuerySpec
from catalog.restate import value_text
from catalog.types import Calendar, CatalogSnapshot, ConversionCalculation, Operator


def relation_of(
    spec: QuerySpec, snapshot: CatalogSnapshot, bindings: Bindings, *, prefix: str = "", reach: Reach | None = None
) -> Relation:
    """The spec's metrics, groups, filters and window; what the spec asks of the result is left to others.

    A statement may hold several relations that share `bindings`, each with a `prefix` of its own.
    With `reach` a period's values are counted from the rows of several periods.
    """
    plan = plan_of(spec, snapshot, bindings, prefix=prefix, reach=reach)
    queries, rows = plan_queries(plan)
    leaves = tuple(plan.names)
    return Relation(
        queries=queries,
        rows=rows,
        groups=plan.question.groups,
        metrics=tuple(_metric(plan, name) for name in plan.values),
        tables=frozenset(t for _, side in plan.sides for t in side.tables),
        notes=_notes(plan),
        timelines=timelines(plan.question, leaves),
        timely=timely_parts(plan.question, leaves),
        spans=spans(plan.question, leaves) if spec.comparison or spec.calculations else (),
        calendar=snapshot.calendar if plan.keeping.own_calendar else Calendar(),
        keeps_gaps=not plan.keeping.fills,
    )


def _metric(plan: Plan, name: str) -> MetricColumn:
    question, value = plan.question, plan.values[name]
    shared = {leaf for leaves, side in plan.sides if side.overlapping for leaf in leaves}
    return MetricColumn(
        column=metric_column(question.snapshot, name, value, by_time=question.grouped_by_time, shared=shared),
        parts=parts_of(value, lambda leaf: leaf in shared),
        missing=missing_of(value),
        recounts=all(can_recount(leaf) for leaf in leaves_of(value)),
        may_lack=plan.meets and not any(leaf.shifts for leaf in leaves_of(value)),
        notes=_metric_notes(plan, name),
    )


def _metric_notes(plan: Plan, name: str) -> tuple[str, ...]:
    spec, value = plan.question.spec, plan.values[name]
    called = with_capital(metric_label(lookup(plan.question.snapshot).metrics[name]))
    notes: list[str] = []
    bounded = spec.time_range is not None and (spec.time_range.start or spec.time_range.end)
    times = sorted({leaf.time_dimension or "" for leaf in leaves_of(value)})
    if len(times) > 1 and bounded and spec.time_dimension is None:
        dates = " and ".join(t.replace("_", " ") for t in times if t)
        notes.append(f"The parts of {called.lower()} are each counted by their own date: {dates}.")
    if divides(value):
        notes.append(f"{called} is empty where it would divide by 0.")
    if plan.question.groups and plan.meets and plan.keeping.fills and fills_missing(value):
        notes.append(f"{called} takes a part without rows in a group as 0.")
    notes.extend(_conversion_notes(value, called))
    notes.extend(_null_notes(plan, value, called))
    return tuple(notes)


def _conversion_notes(value: Value, called: str) -> Iterator[str]:
    """A rate above 1 surprises: several later rows may follow one earlier row, as in MetricFlow."""
    rules = dict.fromkeys(leaf.followed for leaf in leaves_of(value) if leaf.followed is not None)
    for rule in rules:
        base, later = (use.name.replace("_", " ") for use in (rule.base, rule.conversion))
        above = "; a rate may be above 100%" if rule.calculation is ConversionCalculation.RATE else ""
        yield f"{called} counts {later} by the last {base} before them in the period; several may follow one{above}."


def _null_notes(plan: Plan, value: Value, called: str) -> Iterator[str]:
    """What stands in where there is nothing: the metric's own rule, or emptiness."""
    fills = dict.fromkeys(f for f in fills_of(value) if f is not None)
    if isinstance(value, Single):
        yield from (f"{called} is {value_text(f)} where there is nothing to count." for f in fills)
    elif isinstance(value, Formula) and len(set(leaves_of(value))) > 1:
        yield from (f"{called} takes {value_text(f)} for a part with nothing to count." for f in fills)
        if not plan.keeping.fills and None in fills_of(value):
            yield f"{called} is empty where a part of it is."


def _notes(plan: Plan) -> tuple[str, ...]:
    notes = [n for _, side in plan.sides for n in side.notes]
    notes.extend(f"Each {g.reference} is a row of its own." for g in plan.question.groups if not g.shown)
    for given in plan.question.spec.where:
        if given.op in NEGATIONS and given.op is not Operator.IS_NULL and None not in given.values:
            words = given.field.replace("_", " ")
            notes.append(f"Rows without a value for {words} are kept: they are not known to be what is left out.")
    return tuple(dict.fromkeys(notes))

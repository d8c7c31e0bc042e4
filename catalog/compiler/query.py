"""QuerySpec → CompiledQuery, or every reason why it cannot be computed exactly."""

from __future__ import annotations

from dataclasses import replace

from catalog.compiler.answer import Rows, answer_query
from catalog.compiler.bindings import Bindings
from catalog.compiler.columns import group_column
from catalog.compiler.dialects import DIALECTS, written
from catalog.compiler.members import members_query
from catalog.compiler.metrics import relation_of
from catalog.compiler.stop import CannotCompile, stop
from catalog.compiler.things import things_query
from catalog.issues import Issue, IssueCode
from catalog.query import CompiledQuery, QuerySpec
from catalog.types import METRIC_TIME, CatalogSnapshot


def compile_query(
    spec: QuerySpec, snapshot: CatalogSnapshot, *, dialect: str | None = None
) -> CompiledQuery | tuple[Issue, ...]:
    """SQL for the spec in `dialect` (the catalog's own by default), not yet guarded; or typed issues."""
    try:
        return _compile(spec, snapshot, dialect or snapshot.dialect)
    except CannotCompile as cannot:
        return cannot.issues


def _compile(spec: QuerySpec, snapshot: CatalogSnapshot, dialect: str) -> CompiledQuery:
    _check(spec, dialect)
    if spec.things is not None:
        return things_query(spec, spec.things, snapshot, dialect)
    if not spec.metrics:
        return members_query(spec, snapshot, dialect)
    bindings = Bindings()
    relation = relation_of(replace(spec, metrics=_metrics(spec)), snapshot, bindings)
    made = Rows(
        queries=relation.queries,
        rows=relation.rows,
        groups=relation.groups,
        values=tuple(m.name for m in relation.metrics),
        shown=spec.metrics,
    )
    tree = answer_query(spec, made, bindings)
    shown = [m for m in relation.metrics if m.name in spec.metrics]
    columns = [m.column for m in shown]
    if spec.having or spec.kept or spec.limit:
        columns = [replace(c, additive=False) for c in columns]
    return written(
        tree,
        dialect,
        parameters=bindings.parameters,
        columns=(*(group_column(g) for g in relation.groups if g.shown), *columns),
        tables=relation.tables,
        notes=tuple(dict.fromkeys((*relation.notes, *(n for m in shown for n in m.notes), *_notes(spec)))),
    )


def _check(spec: QuerySpec, dialect: str) -> None:
    if dialect not in DIALECTS:
        raise stop(IssueCode.UNSUPPORTED, f"Queries for {dialect} cannot be made.", subject=dialect, choices=DIALECTS)
    if not spec.metrics and not spec.group_by and spec.things is None:
        raise stop(IssueCode.UNSUPPORTED, "Nothing was asked for: name a metric or a dimension.")
    if spec.comparison or spec.calculations or spec.top:
        raise stop(IssueCode.UNSUPPORTED, "Comparisons and calculations over a result cannot be computed yet.")
    if spec.limit is not None and spec.limit < 1:
        raise stop(IssueCode.WRONG_TYPE, "The number of rows must be at least 1.", subject="limit")
    if spec.limit is not None and spec.metrics and not spec.order_by:
        raise stop(IssueCode.UNSUPPORTED, "The first rows need an order; say by which metric.", subject="limit")


def _metrics(spec: QuerySpec) -> tuple[str, ...]:
    """The metrics shown, then those that only order or condition the result."""
    groups = {g.dimension for g in spec.group_by} | {METRIC_TIME}
    ordering = (o.by for o in spec.order_by if o.by not in groups and not _is_alias(o.by, spec))
    return tuple(dict.fromkeys((*spec.metrics, *(h.metric for h in spec.having), *ordering)))


def _is_alias(name: str, spec: QuerySpec) -> bool:
    return any(name == f"{g.dimension}__{g.granularity}" for g in spec.group_by)


def _notes(spec: QuerySpec) -> tuple[str, ...]:
    if not spec.limit or not spec.group_by:
        return ()
    return ("Rows that tie are put in the order of their groups; the last place may be shared.",)

"""How a metric is computed, step by step in words and as SQL, as far as one scope may read it.

What is hidden is treated like what is absent.  Where the SQL would read a table or a
column that is not granted, neither it nor the steps are shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp

from catalog.access import AccessScope
from catalog.compiler import compile_query
from catalog.compiler.plan import leaves_of, value_of
from catalog.compiler.references import target_of, way_to
from catalog.compiler.stop import CannotCompile
from catalog.detail import MetricDetail, metric_detail
from catalog.issues import Issue, IssueCode
from catalog.lookup import lookup
from catalog.paths import JoinPath
from catalog.query import CompiledQuery, QuerySpec
from catalog.reach import models_of_metric
from catalog.types import METRIC_TIME, CatalogSnapshot, SemanticModel
from catalog.visible import metric_visible, visible_dimensions
from catalog.wording import calculation_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One table that the metric counts: what a row is, when it happened, and the way to each name asked for."""

    model: str
    table: str
    grain: str
    time: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A metric's contract, its calculation in words, what it counts and its SQL.

    `query` is None where it reads what the scope may not.
    """

    detail: MetricDetail
    calculation: tuple[str, ...]
    counted: tuple[Counted, ...]
    query: CompiledQuery | None


def explain(
    spec: QuerySpec, snapshot: CatalogSnapshot, scope: AccessScope, *, dialect: str | None = None
) -> Explanation | tuple[Issue, ...]:
    """The first metric of the spec explained under the spec's groups and conditions; or typed issues."""
    hidden = _hidden(spec, snapshot, scope)
    if hidden is not None:
        return (hidden,)
    detail = metric_detail(snapshot, scope, spec.metrics[0])
    found = compile_query(spec, snapshot, dialect=dialect)
    if not isinstance(found, CompiledQuery):
        return tuple(_within(i, snapshot, scope) for i in found)
    if detail is None:
        return (_absent("metric", spec.metrics[0]),)
    shown = not scope.judged_by_tables() or _may_read(snapshot, scope, found)
    return Explanation(
        detail=detail,
        calculation=calculation_words(snapshot, scope, spec.metrics[0]),
        counted=_counted(spec, snapshot) if shown else (),
        query=found if shown else None,
    )


# -- what may be seen ----------------------------------------------------------------------


def _hidden(spec: QuerySpec, snapshot: CatalogSnapshot, scope: AccessScope) -> Issue | None:
    for name in spec.metrics:
        if not metric_visible(snapshot, scope, name):
            return _absent("metric", name)
    for name in _names(spec):
        if not visible_dimensions(snapshot, scope, name):
            return _absent("dimension", name)
    return None


def _names(spec: QuerySpec) -> tuple[str, ...]:
    every = (*(g.dimension for g in spec.group_by), *(f.field for f in spec.where))
    return tuple(dict.fromkeys(n for n in every if n != METRIC_TIME))


def _absent(what: str, name: str) -> Issue:
    code = IssueCode.UNKNOWN_METRIC if what == "metric" else IssueCode.UNKNOWN_DIMENSION
    return Issue(code=code, message=f"There is no {what} {name}.", subject=name)


def _within(issue: Issue, snapshot: CatalogSnapshot, scope: AccessScope) -> Issue:
    """The issue with those choices alone that the scope may name."""

    if not scope.judged_by_tables():
        return issue
    shown = tuple(c for c in issue.choices if visible_dimensions(snapshot, scope, c))
    return replace(issue, choices=shown)


def _may_read(snapshot: CatalogSnapshot, scope: AccessScope, query: CompiledQuery) -> bool:
    """Whether every column that the statement reads of a table is granted, without a mask."""
    plain = query.sql if query.dialect == snapshot.dialect else ""
    if not plain:
        return False
    for select in sqlglot.parse_one(plain, dialect=query.dialect).find_all(exp.Select):
        from_ = select.args.get("from_") or select.args.get("from")
        sources = [s.this for s in (from_, *(select.args.get("joins") or ())) if s is not None]
        tables = {t.alias_or_name: t for t in sources if isinstance(t, exp.Table)}
        for column in select.find_all(exp.Column):
            source = tables.get(column.table)
            if source is not None and source.db and not _granted(scope, source, column.name):
                return False
    return all(scope.table(table) is not None for table in query.tables)


def _granted(scope: AccessScope, table: exp.Table, column: str) -> bool:
    access = scope.table(".".join(part.name for part in table.parts))
    return access is not None and column.lower() in {c.lower() for c in access.columns}


# -- what is counted -----------------------------------------------------------------------


def _counted(spec: QuerySpec, snapshot: CatalogSnapshot) -> tuple[Counted, ...]:
    models = dict.fromkeys(m.name for name in spec.metrics for m in models_of_metric(snapshot, name))
    filters = (f.field for name in spec.metrics for f in lookup(snapshot).metrics[name].filters)
    names = tuple(dict.fromkeys((*_names(spec), *(n for n in filters if n != METRIC_TIME))))
    return tuple(_of_model(lookup(snapshot).models[m], names, snapshot, spec) for m in models)


def _of_model(model: SemanticModel, names: tuple[str, ...], snapshot: CatalogSnapshot, spec: QuerySpec) -> Counted:
    paths = (_path(model, name, snapshot) for name in names)
    return Counted(
        model=model.name,
        table=model.table,
        grain=model.grain or _one_row(model),
        time=_times(model, snapshot, spec) or model.default_time_dimension or "",
        paths=tuple(p for p in paths if p),
    )


def _times(model: SemanticModel, snapshot: CatalogSnapshot, spec: QuerySpec) -> str:
    """The dates by which the metrics count rows of the model."""
    try:
        leaves = [leaf for m in spec.metrics for leaf in leaves_of(value_of(snapshot, m))]
    except CannotCompile:
        return ""
    found = dict.fromkeys(leaf.time_dimension for leaf in leaves if leaf.model == model.name)
    return " and ".join(time for time in found if time)


def _one_row(model: SemanticModel) -> str:
    key = model.primary_entity()
    name = key.name if key else model.primary_entity_name
    return f"one row per {name.replace('_', ' ')}" if name else f"one row of {model.name.replace('_', ' ')}"


def _path(model: SemanticModel, name: str, snapshot: CatalogSnapshot) -> str:
    try:
        held = target_of(snapshot, (model.name,), name)
        return path_words(name, way_to(snapshot, model.name, name, held).path)
    except CannotCompile:
        return ""


def path_words(name: str, path: JoinPath) -> str:
    """The joins to a dimension as a sentence."""
    if not path.hops:
        return f"{name} stands in {path.model} itself."
    steps = (
        f"{h.right} by {h.entity} ("
        + ", ".join(f"{left} = {right}" for left, right in zip(h.left_columns, h.right_columns, strict=True))
        + (", one row may meet several)" if h.bridge else ")")
        for h in path.hops
    )
    return f"{name}: from {path.hops[0].left} to {', then '.join(steps)}."

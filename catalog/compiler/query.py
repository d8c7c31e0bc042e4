"""QuerySpec → CompiledQuery, or every reason why it cannot be computed exactly."""

from __future__ import annotations

from dataclasses import replace

from catalog.adhoc import with_ad_hoc
from catalog.calculations import TieRule
from catalog.collector import paused_collector
from catalog.compiler.answer import Rows, answer_query
from catalog.compiler.bindings import Bindings
from catalog.compiler.calculations.build import Calculated, calculated
from catalog.compiler.calculations.names import named_columns, needed_metrics
from catalog.compiler.calculations.setting import Setting
from catalog.compiler.columns import group_column
from catalog.compiler.dialects import DIALECTS, written
from catalog.compiler.funnel import funnel_query
from catalog.compiler.members import members_query
from catalog.compiler.metrics import relation_of
from catalog.compiler.over import over_query
from catalog.compiler.periods import period_notes
from catalog.compiler.relation import Relation
from catalog.compiler.relying import observed_keys
from catalog.compiler.stop import CannotCompile, stop
from catalog.compiler.things import things_query
from catalog.issues import Issue, IssueCode
from catalog.query import CompiledQuery, QuerySpec, ResultColumn
from catalog.types import Calendar, CatalogSnapshot

_TIES = {
    TieRule.ALL: "Rows that tie for the last place are all kept.",
    TieRule.FIRST: "Rows that tie are put in the order of their groups; the last place may be shared.",
}


@paused_collector()
def compile_query(
    spec: QuerySpec, snapshot: CatalogSnapshot, *, dialect: str | None = None
) -> CompiledQuery | tuple[Issue, ...]:
    """SQL for the spec in `dialect` (the catalog's own by default), not yet guarded; or typed issues."""
    own = with_ad_hoc(spec.ad_hoc, snapshot)
    try:
        found = _compile(spec, own, dialect or snapshot.dialect)
    except CannotCompile as cannot:
        return cannot.issues
    told = observed_keys(found.keys)
    return replace(found, notes=(*found.notes, *told)) if told else found


def _compile(spec: QuerySpec, snapshot: CatalogSnapshot, dialect: str) -> CompiledQuery:
    _check(spec, dialect)
    if spec.funnel:
        return funnel_query(spec, spec.funnel, snapshot, dialect)
    if spec.over is not None:
        return over_query(spec, spec.over, snapshot, dialect)
    if spec.things is not None:
        return things_query(spec, spec.things, snapshot, dialect)
    if not spec.metrics:
        return members_query(spec, snapshot, dialect)
    bindings = Bindings()
    asked = replace(spec, metrics=needed_metrics(spec))
    relation = relation_of(asked, snapshot, bindings)
    made, columns, added = _rows(spec, relation, snapshot, bindings)
    tree = answer_query(spec, made, bindings)
    shown = [c for c in columns if c.name in made.shown]
    if spec.having or spec.kept or spec.limit or spec.top:
        shown = [replace(c, additive=False) for c in shown]
    return written(
        tree,
        dialect,
        parameters=bindings.parameters,
        columns=(*(group_column(g) for g in relation.groups if g.shown), *shown),
        tables=relation.tables | (added.tables if added else frozenset()),
        notes=_notes(spec, relation, added, calendar=snapshot.calendar),
    )


def _rows(
    spec: QuerySpec, relation: Relation, snapshot: CatalogSnapshot, bindings: Bindings
) -> tuple[Rows, tuple[ResultColumn, ...], Calculated | None]:
    """The rows before any condition on them, their value columns, and what was calculated, if anything was."""
    if spec.comparison is None and not spec.calculations:
        columns = tuple(m.column for m in relation.metrics)
        names = tuple(c.name for c in columns)
        plain = Rows(
            queries=relation.queries, rows=relation.rows, groups=relation.groups, values=names, shown=spec.metrics
        )
        return plain, columns, None
    setting = Setting(
        spec=replace(spec, metrics=tuple(m.name for m in relation.metrics)),
        snapshot=snapshot,
        bindings=bindings,
        relation=relation,
        visible=spec.metrics,
        named=named_columns(spec),
    )
    found = calculated(setting)
    made = Rows(
        queries=found.queries,
        rows=found.rows,
        groups=relation.groups,
        values=tuple(c.name for c in found.columns),
        shown=found.shown,
    )
    return made, found.columns, found


def _check(spec: QuerySpec, dialect: str) -> None:
    if dialect not in DIALECTS:
        raise stop(IssueCode.UNSUPPORTED, f"Queries for {dialect} cannot be made.", subject=dialect, choices=DIALECTS)
    if not spec.metrics and not spec.group_by and spec.things is None:
        raise stop(IssueCode.UNSUPPORTED, "Nothing was asked for: name a metric or a dimension.")
    if spec.limit is not None and spec.limit < 1:
        raise stop(IssueCode.WRONG_TYPE, "The number of rows must be at least 1.", subject="limit")
    if spec.limit is not None and spec.metrics and not spec.order_by:
        raise stop(IssueCode.UNSUPPORTED, "The first rows need an order; say by which metric.", subject="limit")


def _notes(spec: QuerySpec, relation: Relation, added: Calculated | None, *, calendar: Calendar) -> tuple[str, ...]:
    notes = [*relation.notes, *(n for m in relation.metrics if m.name in spec.metrics for n in m.notes)]
    notes.extend(added.notes if added else ())
    notes.extend(period_notes(spec, calendar))
    if spec.top is not None:
        notes.append(_TIES[spec.top.ties])
    if spec.limit and spec.group_by:
        first = "place is" if spec.limit == 1 else f"{spec.limit} rows are"
        notes.append(f"Only the first {first} shown, of all groups in this order; a total is of all.")
        shared = "" if spec.peek else "; the last place may be shared"
        notes.append(f"Rows that tie are put in the order of their groups{shared}.")
    return tuple(dict.fromkeys(notes))

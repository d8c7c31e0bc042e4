"""The query that finds out whether a key on which joins rely tells rows apart in the data."""

from __future__ import annotations

from sqlglot import exp

from catalog.compiler.dialects.write import written
from catalog.compiler.joins import over
from catalog.compiler.sql import as_timestamp, column, named, subquery, table, truncated
from catalog.lookup import lookup
from catalog.query import ColumnRole, CompiledQuery, ReliedKey, ResultColumn
from catalog.types import CatalogSnapshot, Dimension, Validity

_ROWS, _TWICE = "source", "twice"
_COUNT = "repeated"


def key_query(key: ReliedKey, snapshot: CatalogSnapshot, *, dialect: str | None = None) -> CompiledQuery:
    """How many values of the key stand in more than one row, in one cell; rows without a key meet nothing.

    Of a table whose rows are valid for a time, how many rows begin before the one before them ends.

    Raises: CannotCompile where the catalog's expressions cannot be read.
    """
    parts = [over(snapshot, _ROWS, c) for c in key.columns]
    parts += [_partition(snapshot, key, name) for name in key.partitions]
    known = [exp.Not(this=exp.Is(this=p.copy(), expression=exp.Null())) for p in parts]
    rows = exp.Select().from_(table(key.table, _ROWS)).where(*known, copy=False)
    start, end = (_limit(snapshot, key, kind) for kind in (Validity.START, Validity.END))
    twice = _overlapping(rows, parts, start, end) if start and end else _standing_twice(rows, parts)
    tree = exp.Select().from_(subquery(twice, _TWICE)).select(named(exp.Count(this=exp.Star()), _COUNT), copy=False)
    if start and end:
        tree = tree.where(_overlap(), copy=False)
    shown = ResultColumn(name=_COUNT, label="Repeated", role=ColumnRole.METRIC)
    return written(tree, dialect or snapshot.dialect, columns=(shown,), tables=(key.table,))


def _standing_twice(rows: exp.Select, parts: list[exp.Expr]) -> exp.Select:
    several = exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(1))
    columns = [named(p, f"key_{i}") for i, p in enumerate(parts)]
    groups = [exp.Literal.number(i) for i, _ in enumerate(parts, 1)]
    return rows.select(*columns, copy=False).group_by(*groups, copy=False).having(several, copy=False)


def _overlapping(rows: exp.Select, parts: list[exp.Expr], start: exp.Expr, end: exp.Expr) -> exp.Select:
    """Each valid row's start beside the times of the row before it of the same key."""
    lasting = exp.or_(exp.Is(this=end.copy(), expression=exp.Null()), exp.GT(this=end.copy(), expression=start.copy()))
    begun = exp.Not(this=exp.Is(this=start.copy(), expression=exp.Null()))
    earlier = [
        exp.Window(
            this=exp.Lag(this=value.copy()),
            partition_by=[p.copy() for p in parts],
            order=exp.Order(expressions=[exp.Ordered(this=start.copy())]),
        )
        for value in (start, end)
    ]
    columns = [named(start, "start"), named(earlier[0], "earlier_start"), named(earlier[1], "earlier_end")]
    return rows.where(begun, exp.paren(lasting), copy=False).select(*columns, copy=False)


def _overlap() -> exp.Expr:
    there = exp.Not(this=exp.Is(this=column(_TWICE, "earlier_start"), expression=exp.Null()))
    endless = exp.Is(this=column(_TWICE, "earlier_end"), expression=exp.Null())
    later = exp.GT(this=column(_TWICE, "earlier_end"), expression=column(_TWICE, "start"))
    return exp.and_(there, exp.or_(endless, later))


def _limit(snapshot: CatalogSnapshot, key: ReliedKey, kind: Validity) -> exp.Expr | None:
    found = next((d for d in _apart(snapshot, key) if d.validity is kind), None)
    return as_timestamp(over(snapshot, _ROWS, found.expr)) if found else None


def _partition(snapshot: CatalogSnapshot, key: ReliedKey, name: str) -> exp.Expr:
    found = next(d for d in _apart(snapshot, key) if d.is_partition and d.name == name)
    value = over(snapshot, _ROWS, found.expr)
    return truncated(value, found.granularity) if found.granularity else value


def _apart(snapshot: CatalogSnapshot, key: ReliedKey) -> tuple[Dimension, ...]:
    return tuple(lookup(snapshot).kept_apart.get(key.model, ()))

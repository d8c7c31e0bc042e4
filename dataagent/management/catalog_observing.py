"""Counts in a warehouse that show keys which no constraint declares: guarded statements, and numbers only."""

from __future__ import annotations

from functools import cached_property

from sqlglot import exp

from catalog.access import AccessScope, TableAccess
from catalog.drafting.types import TableDescription
from catalog.types import Scalar
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.port import Warehouse, WarehouseFault

_BOUNDS = Bounds(max_rows=1, timeout_s=20.0)


class CountingObserver:
    """Looks a key up by counting.  A count that the engine cannot give in time finds nothing."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse

    def tells_apart(self, table: TableDescription, column: str) -> bool:
        """Whether the column has a value in every row, each in one row only, and there are at least two."""
        value = exp.column(exp.to_identifier(column, quoted=True))
        counted = exp.Select(
            expressions=[
                exp.alias_(exp.Count(this=exp.Star()), "all_rows", quoted=True),
                exp.alias_(exp.Count(this=exp.Distinct(expressions=[value])), "different", quoted=True),
            ]
        ).from_(_table(table))
        row = self._row(counted)
        return row is not None and row[0] == row[1] and isinstance(row[0], int) and row[0] > 1

    def leads(self, table: TableDescription, column: str, target: TableDescription, key: str) -> bool:
        """Whether the column has values, and each is one of the key."""
        own, other = (exp.column(exp.to_identifier(c, quoted=True), table=t) for c, t in ((column, "a"), (key, "b")))
        met = exp.Select(expressions=[exp.Literal.number(1)]).from_(_table(target, "b"))
        met = met.where(exp.EQ(this=other, expression=own.copy()))
        known = exp.Not(this=exp.Is(this=own, expression=exp.Null()))
        lost = exp.Case(ifs=[exp.If(this=exp.Exists(this=met), true=exp.Null())], default=exp.Literal.number(1))
        counted = exp.Select(
            expressions=[
                exp.alias_(exp.Count(this=exp.Star()), "all_rows", quoted=True),
                exp.alias_(exp.Count(this=lost), "lost", quoted=True),
            ]
        )
        row = self._row(counted.from_(_table(table, "a")).where(known))
        return row is not None and isinstance(row[0], int) and row[0] > 0 and row[1] == 0

    def _row(self, tree: exp.Select) -> tuple[Scalar, ...] | None:
        dialect = self._warehouse.dialect
        text = tree.sql(dialect=dialect, identify=True)
        found = guard(text, dialect=dialect, scope=self._scope, schema=self._warehouse.schema(), bounds=_BOUNDS)
        if not isinstance(found, GuardedQuery):
            return None
        try:
            rows = self._warehouse.execute(found, query_id="").rows
        except WarehouseFault:
            return None
        return rows[0] if len(rows) == 1 else None

    @cached_property
    def _scope(self) -> AccessScope:
        """All that the login may read."""
        tables = tuple(
            TableAccess(table=t.name, columns=frozenset(c.name for c in t.columns)) for t in self._warehouse.schema()
        )
        return AccessScope(workspace="", principal="drafting", policy_version="1", digest="", tables=tables)


def _table(table: TableDescription, alias: str = "") -> exp.Table:
    return exp.Table(
        this=exp.to_identifier(table.name, quoted=True),
        db=exp.to_identifier(table.schema, quoted=True),
        alias=exp.TableAlias(this=exp.to_identifier(alias)) if alias else None,
    )

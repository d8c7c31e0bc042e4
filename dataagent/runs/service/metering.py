"""A warehouse whose queries are paid for: reserved from the budgets before each, settled after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date

from django.conf import settings
from django.utils import timezone

from dataagent.runs import store
from dataagent.runs.budgets import BudgetScope, Usage, usage_of
from dataagent.runs.types import RunFacts
from dataagent.sqlguard.guard import GuardedQuery
from dataagent.sqlguard.schema import TableSchema
from dataagent.warehouse.port import Explained, ResultTable, Warehouse


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteredWarehouse:
    """The warehouse of one run."""

    inner: Warehouse
    run: RunFacts
    limits: Mapping[BudgetScope, Usage]

    @property
    def dialect(self) -> str:
        """The inner one's."""
        return self.inner.dialect

    @property
    def engine(self) -> str:
        """The inner one's."""
        return self.inner.engine

    def data_version(self) -> str:
        """The inner one's."""
        return self.inner.data_version()

    def schema(self) -> tuple[TableSchema, ...]:
        """The inner one's."""
        return self.inner.schema()

    def explain(self, query: GuardedQuery) -> Explained:
        """The inner one's: an estimate is not paid for."""
        return self.inner.explain(query)

    def execute(self, query: GuardedQuery, *, query_id: str) -> ResultTable:
        """The rows, after all that the query may take at most was reserved.

        Raises: BudgetSpentError before anything ran; WarehouseFault.
        """
        bounds, day = query.bounds, _day()
        wanted = Usage(queries=1, rows=bounds.max_rows, bytes=bounds.max_bytes, seconds=bounds.timeout_s)
        store.reserve(self.run, wanted, self.limits, day)
        began = timezone.now()
        used = Usage(queries=1)
        try:
            table = self.inner.execute(query, query_id=query_id)
            used = Usage(queries=1, rows=len(table.rows), bytes=_size_bytes(table))
            return table
        finally:
            seconds = (timezone.now() - began).total_seconds()
            taken = Usage(queries=1, rows=used.rows, bytes=used.bytes, seconds=max(0.0, seconds))
            store.settle(self.run, wanted, taken, day)

    def cancel(self, query_id: str) -> bool:
        """The inner one's."""
        return self.inner.cancel(query_id)

    def clear(self, query_id: str) -> bool:
        """The inner one's."""
        return self.inner.clear(query_id)


def metered(warehouse: Warehouse, run: RunFacts) -> MeteredWarehouse:
    """The warehouse with the budgets of the settings."""
    limits = {scope: usage_of(settings.BUDGETS[scope.value]) for scope in BudgetScope}
    return MeteredWarehouse(inner=warehouse, run=run, limits=limits)


def _day() -> date:
    return timezone.now().astimezone(UTC).date()


def _size_bytes(table: ResultTable) -> int:
    """About what the rows weigh: as much as their text."""
    return sum(len(str(cell)) for row in table.rows for cell in row)

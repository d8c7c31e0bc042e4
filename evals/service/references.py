"""Runs reference queries: trusted graders' SQL, and still through the guard and the warehouse's door."""

from __future__ import annotations

import uuid
from dataclasses import replace
from decimal import Decimal

from django.conf import settings

from catalog import service as catalog
from catalog.types import Scalar
from dataagent.policy import service as policy
from dataagent.policy.principal import Principal
from dataagent.sqlguard.guard import Bounds, GuardedQuery, guard
from dataagent.warehouse.pool import warehouse_for
from dataagent.warehouse.port import ResultTable, WarehouseFault
from evals.graders.result import RunReference
from evals.types import GoldenCase, Reference, ReferenceFault, ResultRows

_FLOATING = ("DOUBLE", "FLOAT", "REAL")


def reference_runner(evaluator: Principal) -> RunReference:
    """A port that runs a reference and hands its rows to the grader, which tells right from wrong and no more.

    It may read what the evaluator and the case's requester may read together: a
    case about a sensitive number needs both, and neither sees the other's data.
    """
    snapshot = catalog.current_snapshot(evaluator.workspace_id)
    warehouse = warehouse_for(evaluator.workspace, timezone=snapshot.calendar.timezone)
    schema = warehouse.schema()
    metrics = [m.name for m in snapshot.metrics]
    bounds = Bounds(max_rows=settings.MAX_ROWS, timeout_s=settings.QUERY_TIMEOUT_S)

    def run_reference(case: GoldenCase, reference: Reference) -> ResultRows | ReferenceFault:
        requester = policy.principal(case.requester, evaluator.workspace)
        roles = tuple(dict.fromkeys((*evaluator.roles, *requester.roles)))
        together = replace(evaluator, roles=roles, attributes=requester.attributes)
        scope = policy.scope(together, schema, metrics)
        guarded = guard(reference.sql, dialect=reference.dialect, scope=scope, schema=schema, bounds=bounds)
        if not isinstance(guarded, GuardedQuery):
            return ReferenceFault(message=f"The guard refused the reference query: {guarded.message}")
        try:
            return _rows(warehouse.execute(guarded, query_id=uuid.uuid4().hex))
        except WarehouseFault as error:
            return ReferenceFault(message=f"The reference query did not run: {error}")

    return run_reference


def _rows(table: ResultTable) -> ResultRows:
    """The result with the engine's floating columns as floats, so that only they are compared loosely."""
    loose = [column.type.upper() in _FLOATING for column in table.columns]
    rows = tuple(tuple(_cell(v, is_loose) for v, is_loose in zip(row, loose, strict=True)) for row in table.rows)
    return ResultRows(columns=tuple(c.name for c in table.columns), rows=rows, truncated=table.truncated)


def _cell(value: Scalar, loose: bool) -> Scalar | float:
    return float(value) if loose and isinstance(value, Decimal) else value

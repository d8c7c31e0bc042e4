"""What was taken from warehouses: reserved before a query runs, and settled after it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import connection, transaction

from dataagent.runs.budgets import BudgetScope, BudgetSpentError, Usage, exceeds
from dataagent.runs.types import RunFacts

_TAKE = """
INSERT INTO runs_budgetuse AS used (workspace_id, scope, subject, day, queries, row_count, bytes, seconds)
SELECT %(workspace)s, s.scope, s.subject, %(day)s, %(queries)s, %(rows)s, %(bytes)s, %(seconds)s
  FROM unnest(%(scopes)s::text[], %(subjects)s::text[]) WITH ORDINALITY AS s (scope, subject, place) ORDER BY s.place
ON CONFLICT (workspace_id, scope, subject, day) DO UPDATE
   SET queries = used.queries + excluded.queries, row_count = used.row_count + excluded.row_count,
       bytes = used.bytes + excluded.bytes, seconds = used.seconds + excluded.seconds
RETURNING scope, queries, row_count, bytes, seconds, set_config('synchronous_commit', 'off', true)
"""


def reserve(run: RunFacts, wanted: Usage, limits: Mapping[BudgetScope, Usage], day: date) -> None:
    """Takes `wanted` from the budgets of the run, its person and its workspace, from all or from none.

    Two that reserve at once go one after the other: no budget is gone beyond.  What a dead worker had reserved stays
    taken for that day.  Raises: BudgetSpentError.
    """
    with transaction.atomic():
        for scope, used in _take(run, wanted, day).items():
            if exceeds(used, limits.get(scope, Usage())):
                raise BudgetSpentError(scope)


def settle(run: RunFacts, reserved: Usage, used: Usage, day: date) -> None:
    """Gives back what was reserved and not used."""
    back = Usage(
        queries=used.queries - reserved.queries,
        rows=used.rows - reserved.rows,
        bytes=used.bytes - reserved.bytes,
        seconds=used.seconds - reserved.seconds,
    )
    with transaction.atomic():
        _take(run, back, day)


def _take(run: RunFacts, usage: Usage, day: date) -> dict[BudgetScope, Usage]:
    """Adds to the three budgets, always in the same order; says what each has used then."""
    values: dict[str, Any] = {
        "workspace": run.workspace_id,
        "day": day,
        "queries": usage.queries,
        "rows": usage.rows,
        "bytes": usage.bytes,
        "seconds": usage.seconds,
        "scopes": [BudgetScope.RUN.value, BudgetScope.PERSON.value, BudgetScope.WORKSPACE.value],
        "subjects": [run.id, str(run.asker_id), ""],
    }
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, values)
        return {
            BudgetScope(scope): Usage(queries=queries, rows=rows, bytes=size, seconds=seconds)
            for scope, queries, rows, size, seconds, _ in cursor.fetchall()
        }

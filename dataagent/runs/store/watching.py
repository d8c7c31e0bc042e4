"""What goes on in all workspaces, for those who run the product: counts and times, no question and no person."""

from __future__ import annotations

from typing import Any

from django.db import connection

from dataagent.runs.budgets import Usage
from dataagent.runs.metrics import Reading, Spread

_OPEN = """
SELECT state, count(*), coalesce(extract(epoch FROM statement_timestamp() - min(queued_at)), 0)
  FROM runs_run WHERE state IN ('queued', 'running', 'waiting_for_turn', 'waiting_for_person', 'waiting_for_approval')
 GROUP BY state"""
_UNKNOWN = "SELECT count(*) FROM runs_runattempt WHERE state = 'lapsed'"
_ENDED = """
SELECT state, reason, count(*) FROM runs_run
 WHERE finished_at > statement_timestamp() - make_interval(secs => %(window)s) GROUP BY state, reason"""
_LASTED = """
SELECT count(*), coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY took), 0),
       coalesce(percentile_cont(0.95) WITHIN GROUP (ORDER BY took), 0)
  FROM (SELECT extract(epoch FROM finished_at - created_at)::float8 AS took FROM runs_run
         WHERE finished_at > statement_timestamp() - make_interval(secs => %(window)s)) AS ended"""
_STAGES = """
SELECT s.kind, count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY s.elapsed_ms / 1000),
       percentile_cont(0.95) WITHIN GROUP (ORDER BY s.elapsed_ms / 1000)
  FROM runs_runstep s JOIN runs_run r ON r.id = s.run_id
 WHERE r.finished_at > statement_timestamp() - make_interval(secs => %(window)s) GROUP BY s.kind"""
_TAKEN = """
SELECT coalesce(sum(queries), 0), coalesce(sum(row_count), 0), coalesce(sum(bytes), 0), coalesce(sum(seconds), 0)
  FROM runs_budgetuse WHERE scope = 'workspace' AND day = (statement_timestamp() AT TIME ZONE 'UTC')::date"""


def reading(window_s: int = 300) -> Reading:
    """The state of all workspaces together; what has ended is of the last `window_s` seconds."""
    open_runs = {state: (count, age_s) for state, count, age_s in _rows(_OPEN)}
    queued, age_s = open_runs.get("queued", (0, 0.0))
    queries, rows, size, seconds = _rows(_TAKEN)[0]
    return Reading(
        window_s=window_s,
        queued=int(queued),
        queue_age_s=max(0.0, float(age_s)),
        open_runs={state: int(count) for state, (count, _) in open_runs.items()},
        unknown_queries=int(_rows(_UNKNOWN)[0][0]),
        ended={(state, reason): int(count) for state, reason, count in _rows(_ENDED, window_s)},
        lasted=_spread(*_rows(_LASTED, window_s)[0]),
        stages={kind: _spread(count, p50, p95) for kind, count, p50, p95 in _rows(_STAGES, window_s)},
        taken_today=Usage(queries=int(queries), rows=int(rows), bytes=int(size), seconds=float(seconds)),
    )


def _rows(sql: str, window_s: int = 0) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"window": window_s})
        return list(cursor.fetchall())


def _spread(count: int, p50: float, p95: float) -> Spread:
    return Spread(count=int(count), p50_s=round(float(p50), 6), p95_s=round(float(p95), 6))

"""What monitoring reads, in the text format of Prometheus.  Counts and times only: no question, person or workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from dataagent.runs.budgets import Usage

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How often something took place, and its middle and slow times in seconds."""

    count: int
    p50_s: float
    p95_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The state of all workspaces together.  `ended`, `lasted` and `stages` are of the last `window_s` seconds."""

    window_s: int
    queued: int
    queue_age_s: float
    open_runs: dict[str, int]
    unknown_queries: int
    ended: dict[tuple[str, str], int]
    lasted: Spread
    stages: dict[str, Spread]
    taken_today: Usage


def exposition(reading: Reading) -> str:
    """The reading as lines, each metric with its help and type."""
    window = f"in the last {reading.window_s} s"
    parts = (
        _gauge("queue_runs", "Runs that wait for a worker", {"": reading.queued}),
        _gauge("queue_age_seconds", "How long the oldest of them has waited", {"": reading.queue_age_s}),
        _gauge("open_runs", "Runs that have not ended", _by("state", reading.open_runs)),
        _gauge("unknown_queries", "Queries of dead workers that may still run", {"": reading.unknown_queries}),
        _gauge(
            "ended_runs",
            f"Runs that ended {window}",
            {f'{{state="{_safe(state)}",reason="{_safe(why)}"}}': n for (state, why), n in reading.ended.items()},
        ),
        _spreads("run_seconds", f"From acceptance to the end {window}", {"": reading.lasted}),
        _spreads("stage_seconds", f"Time of each step {window}", _by("stage", reading.stages)),
        _gauge("warehouse_queries_today", "Queries on this UTC day", {"": reading.taken_today.queries}),
        _gauge("warehouse_rows_today", "Rows read on this UTC day", {"": reading.taken_today.rows}),
        _gauge("warehouse_bytes_today", "Bytes read on this UTC day", {"": reading.taken_today.bytes}),
        _gauge("warehouse_seconds_today", "Engine time on this UTC day", {"": reading.taken_today.seconds}),
    )
    return "".join(parts)


def _by(label: str, values: dict[str, T]) -> dict[str, T]:
    return {f'{{{label}="{_safe(name)}"}}': value for name, value in values.items()}


def _gauge(name: str, words: str, values: dict[str, int] | dict[str, float]) -> str:
    lines = [f"# HELP dataagent_{name} {words}.", f"# TYPE dataagent_{name} gauge"]
    lines += [f"dataagent_{name}{labels} {value:g}" for labels, value in sorted(values.items())]
    return "\n".join(lines) + "\n"


def _spreads(name: str, words: str, spreads: dict[str, Spread]) -> str:
    lines = [f"# HELP dataagent_{name} {words}.", f"# TYPE dataagent_{name} summary"]
    for labels, spread in sorted(spreads.items()):
        more = labels.strip("{}")
        for quantile, value in (("0.5", spread.p50_s), ("0.95", spread.p95_s)):
            inner = ",".join(part for part in (more, f'quantile="{quantile}"') if part)
            lines.append(f"dataagent_{name}{{{inner}}} {value:g}")
        lines.append(f"dataagent_{name}_count{labels} {spread.count}")
    return "\n".join(lines) + "\n"


def _safe(text: str) -> str:
    """Letters, digits and underscores: a label is no place for anything else."""
    return "".join(c if c.isalnum() or c == "_" else "_" for c in text)

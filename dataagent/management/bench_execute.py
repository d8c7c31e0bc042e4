"""How long compiled SQL runs beside SQL that a person wrote for the same result, on a table of many rows."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

import duckdb

from catalog.compiler import compile_query
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery
from catalog.types import CatalogSnapshot
from dataagent.management.bench_report import BenchOptions, BenchReport, Timing, result
from dataagent.management.bench_shapes import CASES, TABLES, Case
from dataagent.warehouse.child import open_engine
from dataagent.warehouse.process import Limits

_ROUNDS = 15
_PEER = "hand-written SQL"


class DifferentRows(Exception):
    """The two ways of one case gave different rows: a bench of different things says nothing."""


def measure(folder: Path, options: BenchOptions) -> BenchReport:
    """One object per case: medians of rounds in which both ways take turns, on a table of `options.rows` rows.

    `ratio_of_cpu` compares the processor's time, which other work on the machine disturbs least.

    Raises: DifferentRows.
    """
    snapshot = load_folder(folder)
    before = os.getloadavg()[0]
    with opened(options.rows) as connection:
        results = tuple(_case(connection, case, snapshot) for case in CASES)
    limits = Limits()
    note = (
        f"{options.rows} rows; read-only with the settings of the warehouse's own process: "
        f"{limits.threads} threads, {limits.memory_limit} of memory. One warm-up round and {_ROUNDS} timed ones, "
        f"both ways in turn; equal rows were checked. Load of the machine: {before:.1f} before, "
        f"{os.getloadavg()[0]:.1f} after, {os.cpu_count()} processors."
    )
    return BenchReport(results=results, notes=(note,))


@contextmanager
def opened(rows: int) -> Iterator[Any]:
    """A connection to the bench's tables with `rows` rows, with the settings of the warehouse's own process."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "bench.duckdb"
        with duckdb.connect(str(path)) as writing:
            for statement in TABLES:
                writing.execute(statement.format(rows=rows))
        limits = asdict(Limits())
        settings = {**limits, "path": str(path), "catalog": "bench", "timezone": "UTC", "temp_directory": place}
        connection = open_engine(duckdb, settings)
        try:
            yield connection
        finally:
            connection.close()


def compiled(case: Case, snapshot: CatalogSnapshot) -> CompiledQuery:
    """The case's query.

    Raises: DifferentRows: it does not compile.
    """
    found = compile_query(case.spec, snapshot)
    if not isinstance(found, CompiledQuery):
        raise DifferentRows(f"{case.name} does not compile: {found[0].message}")
    return found


def same_rows(case: Case, ours: list[tuple[Any, ...]], theirs: list[tuple[Any, ...]]) -> None:
    """Nothing, where both ways gave the same rows in the same order.

    Raises: DifferentRows.
    """
    if _plain(ours) != _plain(theirs):
        raise DifferentRows(f"{case.name}: the compiled SQL and the hand-written one give different rows.")


@dataclass(frozen=True, slots=True)
class _Round:
    """One run of one way: its rows, the time that it took and the time that its threads computed."""

    rows: list[tuple[Any, ...]]
    took_ms: float
    cpu_ms: float


def _case(connection: Any, case: Case, snapshot: CatalogSnapshot) -> dict[str, object]:
    query = compiled(case, snapshot)
    bound = {p.name: p.value for p in query.parameters}
    ours: list[_Round] = []
    theirs: list[_Round] = []
    for _ in range(_ROUNDS + 1):
        ours.append(_run(connection, query.sql, bound))
        theirs.append(_run(connection, case.by_hand, {}))
        same_rows(case, ours[-1].rows, theirs[-1].rows)
    cpu, peer_cpu = (round(median(r.cpu_ms for r in way[1:]), 3) for way in (ours, theirs))
    figures = result(case.name, _timing(ours), _PEER, _timing(theirs))
    return {**figures, "ours_cpu_ms": cpu, "peer_cpu_ms": peer_cpu, "ratio_of_cpu": round(cpu / peer_cpu, 3)}


def _run(connection: Any, sql: str, bound: dict[str, Any]) -> _Round:
    started, computed = time.perf_counter(), time.process_time()
    rows: list[tuple[Any, ...]] = connection.execute(sql, bound or None).fetchall()
    cpu = time.process_time() - computed
    return _Round(rows, (time.perf_counter() - started) * 1000, cpu * 1000)


def _timing(rounds: list[_Round]) -> Timing:
    """Without the first round, which warms up."""
    return Timing(values_ms=tuple(sorted(r.took_ms for r in rounds[1:])))


def _plain(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows with fractions to nine digits: one way divides decimals, the other binary numbers."""
    return [tuple(round(float(v), 9) if isinstance(v, float | Decimal) else v for v in row) for row in rows]

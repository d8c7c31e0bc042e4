"""How members are read, kept, fetched and found, end to end: a dimension of millions in a warehouse of its own.

Beside each part stands how long, meanwhile, another thread of the process had to wait at most.
Everything is taken back at the end.
"""

from __future__ import annotations

import resource
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import duckdb
from django.db import transaction

from catalog import service as catalog
from catalog.members import Members
from catalog.types import (
    Aggregation,
    CatalogSnapshot,
    Dimension,
    DimensionType,
    Entity,
    EntityType,
    Measure,
    Metric,
    MetricType,
    SemanticModel,
    TimeGranularity,
)
from dataagent.accounts import service as accounts
from dataagent.management.bench_report import BenchOptions, BenchReport, Timing, alone, machine_note
from dataagent.management.large_vocabulary import SYLLABLES
from dataagent.management.preparing import prepare_database
from dataagent.policy import service as policy
from dataagent.runs.service import memberfiles, memberupkeep
from dataagent.warehouse import pool

_SLUG = "bench-members"
MEMBERS = 5_000_000
_TICK_S = 0.001
_LOOKUPS = 2_000
_Done = TypeVar("_Done")
_POLICY = """
version: "1"
roles:
  analyst: {metrics: {allow: "*"}, tables: {main.customer: {columns: "*"}}}
"""
CATALOG = CatalogSnapshot(
    name=_SLUG,
    digest=_SLUG,
    dialect="duckdb",
    models=(
        SemanticModel(
            name="customer",
            table="main.customer",
            default_time_dimension="joined",
            entities=(Entity(name="customer", type=EntityType.PRIMARY, expr="customer"),),
            dimensions=(
                Dimension(name="joined", type=DimensionType.TIME, expr="joined", granularity=TimeGranularity.DAY),
                Dimension(name="customer_name", type=DimensionType.CATEGORICAL, expr="customer"),
            ),
            measures=(Measure(name="sign_ups", agg=Aggregation.COUNT, expr="customer"),),
        ),
    ),
    metrics=(Metric(name="sign_ups", type=MetricType.SIMPLE, measure="sign_ups"),),
)
"""Customers by name, and how many signed up."""


def measure(options: BenchOptions) -> BenchReport:
    """The first reading, one of data that have not changed, fetching and mapping the bytes, and look-ups."""
    count = MEMBERS if options.members is None else options.members
    prepare_database(lambda _: None)
    file = pool.file_of(_SLUG)
    try:
        with transaction.atomic():
            fill(file, count)
            results, note = _measured(_prepared())
            transaction.set_rollback(True)
    finally:
        pool.close_all()
        file.unlink(missing_ok=True)
    notes = (f"{count} members. {note} `longest_pause_ms`: of a thread that wakes each millisecond.", machine_note())
    return BenchReport(results=results, notes=notes)


def _measured(workspace_id: int) -> tuple[tuple[dict[str, object], ...], str]:
    before = _memory_mb()
    read, first = _timed("read and keep", lambda: memberupkeep.refresh(_SLUG, anyway=True))
    again, _ = _timed("read again, nothing has changed", lambda: memberupkeep.refresh(_SLUG, anyway=True))
    if first.fault:
        raise RuntimeError(first.fault)
    (facts,) = memberupkeep.lists_of(workspace_id)
    after = _memory_mb()
    shutil.rmtree(memberfiles.folder(workspace_id))
    fetched, _ = _timed("fetch from the database", lambda: memberfiles.loaded(workspace_id, facts))
    mapped, held = _timed("check and map the file", lambda: memberfiles.loaded(workspace_id, facts))
    shutil.rmtree(memberfiles.folder(workspace_id))
    words = f"{facts.members} kept in {facts.size_bytes / 1e6:.1f} MB; memory at most {after:.0f} MB"
    note = f"{words}, {before:.0f} MB before."
    return (read, again, fetched, mapped, *_looked_up(held)), note


def _timed(name: str, work: Callable[[], _Done]) -> tuple[dict[str, object], _Done]:
    with _ticking() as gaps:
        begun = time.perf_counter()
        done = work()
        taken_ms = (time.perf_counter() - begun) * 1000
    figures = alone(name, Timing(values_ms=(taken_ms,)))
    return {**figures, "longest_pause_ms": round(max(gaps, default=0.0) * 1000, 1)}, done


@contextmanager
def _ticking() -> Iterator[list[float]]:
    """The seconds between the ticks of a thread while the block runs, those that are longest so far."""
    gaps: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        last, longest = time.perf_counter(), 0.0
        while not stop.is_set():
            time.sleep(_TICK_S)
            now = time.perf_counter()
            if now - last > longest:
                longest = now - last
                gaps.append(longest)
            last = now

    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield gaps
    finally:
        stop.set()
        ticker.join()


def _looked_up(held: Members) -> Iterator[dict[str, object]]:
    step = max(1, len(held) // _LOOKUPS)
    known = [surface for place, (surface, *_) in enumerate(held.starting("", len(held))) if place % step == 0]
    for name, texts in (("look-up, a member", known), ("look-up, no member", [f"{t}x" for t in known])):
        yield alone(name, Timing(values_ms=tuple(sorted(_once(held, t) for t in texts))))


def _once(held: Members, text: str) -> float:
    begun = time.perf_counter()
    held.lookup(text)
    return (time.perf_counter() - begun) * 1000


def fill(file: Path, count: int, hidden: Sequence[str] = ()) -> None:
    """A table of so many customers of region *seen*, each of two words, written by DuckDB itself, and some *hidden*."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with duckdb.connect(str(file)) as made:
        made.execute("CREATE TABLE syllable AS SELECT unnest(?) AS s", [list(SYLLABLES)])
        made.execute(
            "CREATE TABLE word AS SELECT a.s || b.s || c.s AS w, row_number() OVER () - 1 AS n"
            " FROM syllable a, syllable b, syllable c"
        )
        made.execute("CREATE TABLE customer (customer VARCHAR, region VARCHAR, joined DATE)")
        made.execute(
            "INSERT INTO customer SELECT upper(x.w[1]) || x.w[2:] || ' ' || upper(y.w[1]) || y.w[2:],"
            " 'seen', DATE '2025-05-01' FROM range(?) r(i)"
            " JOIN word x ON x.n = i % 343000 JOIN word y ON y.n = (i // 343000) * 7919 % 343000",
            [count],
        )
        for name in hidden:
            made.execute("INSERT INTO customer VALUES (?, 'hidden', DATE '2025-05-01')", [name])


def _prepared() -> int:
    place = accounts.create_workspace(_SLUG, name="Bench")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.yaml"
        path.write_text(_POLICY, encoding="utf-8")
        policy.load_policy(place.id, path)
    catalog.publish(place.id, CATALOG)
    account = accounts.create_user(_SLUG, password=None)
    accounts.set_member(place.id, account.id, roles=("analyst",))
    return place.id


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

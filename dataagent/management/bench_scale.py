"""How long a large catalog takes to load, and whether it then compiles in the time of a small one.

Three times are told apart: the first query after a load, the first query of a metric, and a
query of a metric that was asked for before.  Small catalogs are loaded anew for each round, so
that their metrics are as new as the large one's.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from catalog.calculations import MovingWindow, PeriodComparison, Rank, RunningTotal, Share, TimeRange, Top
from catalog.compiler import compile_query
from catalog.compiler.prepare import prepared
from catalog.content import decode, encode
from catalog.importers.metricflow import load_manifest
from catalog.importers.own import load_folder
from catalog.query import CompiledQuery, GroupBy, QuerySpec
from catalog.types import METRIC_TIME, CatalogSnapshot, TimeGranularity
from dataagent.management.bench_report import BenchReport, Timing, alone, machine_note, result
from dataagent.management.large_catalog import SMALL, Made, Size, write_metricflow, write_own

_LARGE = Size()
_LOADS = 3
_ROUNDS = 25
_PEER = "small catalog"
_MONTH = GroupBy(dimension=METRIC_TIME, granularity=TimeGranularity.MONTH)
_TIME = f"{METRIC_TIME}__month"
_NOW = TimeRange(start=date(2025, 5, 1), end=date(2025, 6, 1), expr="2025-05")
_BEFORE = TimeRange(start=date(2025, 4, 1), end=date(2025, 5, 1), expr="2025-04")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A way to write a catalog and to read it."""

    name: str
    write: Callable[[Path, Size], None]
    read: Callable[[Path], CatalogSnapshot]


FORMS = (
    Form(name="own", write=write_own, read=load_folder),
    Form(name="metricflow", write=write_metricflow, read=lambda f: load_manifest(f, name="bench", schema="main")),
)

Shape = Callable[[str, str], QuerySpec]
"""The query of a metric by a subject's part."""


def _plain(metric: str, part: str) -> QuerySpec:
    return QuerySpec(metrics=(metric,), group_by=(_MONTH, GroupBy(dimension=part)))


def _by_part(metric: str, part: str) -> QuerySpec:
    return QuerySpec(metrics=(metric,), group_by=(GroupBy(dimension=part),))


def _by_month(metric: str, _: str) -> QuerySpec:
    return QuerySpec(metrics=(metric,), group_by=(_MONTH,))


def _by_shared_name(metric: str, _: str) -> QuerySpec:
    day = GroupBy(dimension="happened_on", granularity=TimeGranularity.DAY)
    return QuerySpec(metrics=(metric,), group_by=(day,))


def _moving(metric: str) -> MovingWindow:
    return MovingWindow(metric=metric, periods=3)


SHAPES: Mapping[str, tuple[Made, Shape]] = {
    **{kind.value.replace("_", " "): (kind, _plain) for kind in Made},
    "by a name that every fact has": (Made.SUM, _by_shared_name),
    "previous period": (
        Made.SUM,
        lambda m, p: replace(_by_part(m, p), time_range=_NOW, comparison=PeriodComparison(window=_BEFORE)),
    ),
    "share of the whole": (Made.SUM, lambda m, p: replace(_by_part(m, p), calculations=(Share(metric=m),))),
    "rank": (Made.DISTINCT, lambda m, p: replace(_by_part(m, p), calculations=(Rank(by=m),))),
    "top of each group": (Made.RATIO, lambda m, p: replace(_plain(m, p), top=Top(by=m, count=3, within=(_TIME,)))),
    "running total": (Made.SUM, lambda m, p: replace(_by_month(m, p), calculations=(RunningTotal(metric=m),))),
    "moving window": (
        Made.SUM,
        lambda m, p: replace(_by_month(m, p), calculations=(MovingWindow(metric=m, periods=3),)),
    ),
}
"""Kinds of queries by name: the kind of metric and what is asked of it."""


def measure() -> BenchReport:
    """Loading, then for each kind of query its first and its later compile, each beside a small catalog."""
    results: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as place:
        for form in FORMS:
            results.extend(_of_form(form, Path(place) / form.name))
    size = f"{_LARGE.metrics} metrics and {_LARGE.dimensions} dimensions"
    small = f"{SMALL.metrics} metrics and {SMALL.dimensions} dimensions"
    note = f"Large: {size}; small: {small}, loaded anew for each of {_ROUNDS} rounds. Processor time. {machine_note()}"
    return BenchReport(results=tuple(results), notes=(note,))


def _of_form(form: Form, place: Path) -> list[dict[str, object]]:
    form.write(place / "large", _LARGE)
    small = [_small(form, place / f"small_{number}", number) for number in range(_ROUNDS)]
    loads, firsts = [], []
    for _ in range(_LOADS):
        large, took = _loaded(form, place / "large")
        loads.append(took)
        firsts.append(_compile_ms(large, "sum", _LARGE, _LARGE.facts // 2 - 1))
    stored = encode(large)
    started = time.process_time()
    large = prepared(decode(stored))
    read_ms = (time.process_time() - started) * 1000
    gc.collect()
    first_small = [_compile_ms(one, "sum", size, size.facts // 2 - 1) for one, size in small]
    return [
        alone(f"{form.name}: load the files", _timing(loads)),
        alone(f"{form.name}: load what was published", _timing([read_ms])),
        result(f"{form.name}: first after load", _timing(firsts), _PEER, _timing(first_small)),
        *_phase(form, "first of a metric", large, small),
        *_phase(form, "warm", large, small),
    ]


def _small(form: Form, place: Path, number: int) -> tuple[CatalogSnapshot, Size]:
    size = replace(SMALL, first=_LARGE.facts + number * SMALL.facts)
    form.write(place, size)
    return _loaded(form, place)[0], size


def _loaded(form: Form, folder: Path) -> tuple[CatalogSnapshot, float]:
    started = time.process_time()
    snapshot = prepared(form.read(folder))
    return snapshot, (time.process_time() - started) * 1000


def _phase(
    form: Form, phase: str, large: CatalogSnapshot, small: list[tuple[CatalogSnapshot, Size]]
) -> list[dict[str, object]]:
    """Each kind of query on metrics of its own; who goes first changes, as the second finds the code at hand."""
    ours: dict[str, list[float]] = {name: [] for name in SHAPES}
    theirs: dict[str, list[float]] = {name: [] for name in SHAPES}
    for number, (one, size) in enumerate(small):
        for place, name in enumerate(SHAPES):
            turns = [
                (ours[name], large, _LARGE, number * len(SHAPES) + place),
                (theirs[name], one, size, place),
            ]
            for taken, snapshot, its_size, at in turns if (number + place) % 2 else reversed(turns):
                taken.append(_compile_ms(snapshot, name, its_size, at))
    return [result(f"{form.name}: {phase}: {n}", _timing(ours[n]), _PEER, _timing(theirs[n])) for n in SHAPES]


def _compile_ms(snapshot: CatalogSnapshot, name: str, size: Size, place: int) -> float:
    kind, shape = SHAPES[name]
    fact = size.fact_of(kind, place)
    spec = shape(f"{kind}_{fact}", f"{size.subject_of(fact)}_part_1")
    started = time.process_time()
    found = compile_query(spec, snapshot)
    taken = time.process_time() - started
    if not isinstance(found, CompiledQuery):
        raise RuntimeError(f"The query {name} does not compile: {found[0].message}")
    return taken * 1000


def _timing(values: list[float]) -> Timing:
    return Timing(values_ms=tuple(sorted(values)))

"""How long a metric query takes to become SQL, by kind of metric, beside other compilers on the same catalog.

Every side is warm and in process.  The sides take turns kind by kind, with a few queries
each, and each measures the processor time of its own process, so that a busy machine
slows none of them.  Our compiler keeps nothing of a query but the conditions that it has
parsed, whose texts differ each time: each compile is that of a shape seen for the first time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import sqlglot
import yaml

from catalog.compiler import compile_query
from catalog.compiler.flow.compile import compile_flow
from catalog.compiler.flow.query import FlowQuery
from catalog.compiler.refs import ref_of
from catalog.importers.metricflow import load_manifest
from catalog.issues import Issue
from catalog.query import CompiledQuery
from catalog.types import CatalogSnapshot
from dataagent.management.bench_calculations import CALCULATED
from dataagent.management.bench_report import BenchOptions, BenchReport, Timing, alone, machine_note, result
from dataagent.management.peers import HERE, Peer, peer

_SCHEMA, _OURS, _FLOOR = "main", "ours", "sqlglot, reading and writing the same text"
_ROUNDS = 12
_IN_A_TURN = 6
_WARM_UP = 2

Compile = Callable[[Sequence[Mapping[str, Any]]], Sequence[float]]
"""Compiles queries of one kind, and gives the milliseconds of each; none where the side knows no such shape."""


def measure(folder: Path, options: BenchOptions) -> BenchReport:
    """One result per kind of query and peer.

    Raises:
        PeerFailed: a peer that was asked for cannot be started or refuses a query.
    """
    queries = [*yaml.safe_load((folder / "queries.yaml").read_text(encoding="utf-8")), *(c.asked() for c in CALCULATED)]
    snapshot = load_manifest(folder / "manifest", name="bench", schema=_SCHEMA)
    with ExitStack() as running:
        sides: dict[str, Compile] = {
            _OURS: _ours(snapshot),
            _FLOOR: _floor(snapshot),
            **_peers(folder, options, running),
        }
        taken = _taken(queries, sides)
    results = tuple(figures for q in queries for figures in _results(str(q["kind"]), taken))
    return BenchReport(results=results, notes=(*_conditions(), *_absent(options)))


def _results(kind: str, taken: Mapping[tuple[str, str], Timing]) -> Iterator[dict[str, object]]:
    """Our figures beside those of each peer that knows the kind."""
    ours = taken[kind, _OURS]
    peers = [side for name, side in taken if name == kind and side != _OURS]
    if not peers:
        yield alone(kind, ours)
    for side in peers:
        yield result(kind, ours, side, taken[kind, side])


def _taken(queries: list[dict[str, Any]], sides: Mapping[str, Compile]) -> dict[tuple[str, str], Timing]:
    """All times by kind and side: in each round every query is compiled by every side in turn."""
    times: dict[tuple[str, str], list[float]] = {}
    for turn in range(_WARM_UP + _ROUNDS):
        gc.collect()
        for query in queries:
            asked = [numbered(query, turn * _IN_A_TURN + place) for place in range(_IN_A_TURN)]
            for side, compiled in sides.items():
                # the first of a turn brings the side back into the processor's caches
                taken_ms = compiled(asked)[1:]
                if taken_ms and turn >= _WARM_UP:
                    times.setdefault((query["kind"], side), []).extend(taken_ms)
    return {key: Timing(values_ms=tuple(sorted(found))) for key, found in times.items()}


def numbered(part: Any, number: int) -> Any:
    """The query with a number in its texts, so that none is seen twice."""
    if isinstance(part, str):
        return part.replace("$round", str(number))
    if isinstance(part, dict):
        return {key: numbered(value, number) for key, value in part.items()}
    return [numbered(value, number) for value in part] if isinstance(part, list) else part


def query_of(asked: Mapping[str, Any], snapshot: CatalogSnapshot) -> FlowQuery:
    """The typed query behind one object of the file."""
    return FlowQuery(
        metrics=tuple(asked["metrics"]),
        group_by=tuple(ref_of(name, snapshot) for name in asked["group_by"]),
        where=tuple(asked.get("where", ())),
    )


def _ours(snapshot: CatalogSnapshot) -> Compile:
    return lambda queries: [_compile_ms(asked, snapshot) for asked in queries]


def _compile_ms(asked: Mapping[str, Any], snapshot: CatalogSnapshot) -> float:
    started = time.process_time()
    found = _compiled(asked, snapshot)
    taken = time.process_time() - started
    if not isinstance(found, CompiledQuery):
        raise RuntimeError(f"The query {asked['kind']} does not compile: {found[0].message}")
    return taken * 1000


def _compiled(asked: Mapping[str, Any], snapshot: CatalogSnapshot) -> CompiledQuery | tuple[Issue, ...]:
    if "spec" in asked:
        return compile_query(asked["spec"](int(asked["number"])), snapshot)
    return compile_flow(query_of(asked, snapshot), snapshot)


def _floor(snapshot: CatalogSnapshot) -> Compile:
    """What is left to do where somebody has written the SQL already: calculations alone have it as their peer."""

    def read_and_written(queries: Sequence[Mapping[str, Any]]) -> Sequence[float]:
        made = [_compiled(asked, snapshot) for asked in queries if "spec" in asked]
        return [_rewritten_ms(found) for found in made if isinstance(found, CompiledQuery)]

    return read_and_written


def _rewritten_ms(query: CompiledQuery) -> float:
    started = time.process_time()
    sqlglot.parse_one(query.sql, dialect=query.dialect).sql(dialect=query.dialect, pretty=True)
    return (time.process_time() - started) * 1000


def _peers(folder: Path, options: BenchOptions, running: ExitStack) -> dict[str, Compile]:
    commands: list[tuple[Callable[[Mapping[str, Any]], object], tuple[str, ...]]] = []
    if options.peer_python:
        python = str(options.peer_python)
        flow = (python, str(HERE / "metricflow_peer.py"), str(folder / "manifest"), _SCHEMA)
        commands.append((_metrics, flow))
        commands.append(
            (lambda asked: asked.get("wren"), (python, str(HERE / "wren_peer.py"), str(folder / "wren.json")))
        )
    if options.node_modules:
        modules = str(options.node_modules.resolve())
        node = ("node", str(HERE / "cube_peer.js"), modules, str(folder / "cube.js"))
        commands.append((lambda asked: asked.get("cube"), node))
    started = [(part, running.enter_context(peer(*command))) for part, command in commands]
    return {one.name: _asking(one, part) for part, one in started}


def _asking(one: Peer, part: Callable[[Mapping[str, Any]], object]) -> Compile:
    """The peer, asked its own part of each query."""

    def compiled(queries: Sequence[Mapping[str, Any]]) -> Sequence[float]:
        asked = [part(q) for q in queries]
        return one.compile_ms(asked) if all(asked) else ()

    return compiled


def _metrics(asked: Mapping[str, Any]) -> object:
    return {key: asked[key] for key in ("metrics", "group_by", "where") if key in asked}


def _conditions() -> tuple[str, ...]:
    turns = f"{_ROUNDS} turns of {_IN_A_TURN - 1} after {_WARM_UP} to warm up"
    return (f"Processor time of {turns}, sides taking turns. {machine_note()}",)


def _absent(options: BenchOptions) -> tuple[str, ...]:
    found = []
    if options.peer_python is None:
        found.append(
            "MetricFlow and Wren were not measured: install requirements/bench.lock into an environment of its own "
            "and name its interpreter with --peer-python."
        )
    if options.node_modules is None:
        found.append(
            "Cube was not measured: run npm install --ignore-scripts @cubejs-backend/schema-compiler in an empty "
            "folder and name its node_modules with --node-modules."
        )
    return tuple(found)

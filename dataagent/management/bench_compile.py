"""How long a metric query takes to become SQL, by kind of metric, beside other compilers on the same catalog.

Every side is warm and in process, the sides take turns query by query, and each measures
the processor time of its own process, so that a busy machine slows none of them.
Nothing of a query is kept by our compiler: each compile is that of a shape seen for the first time.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from catalog.flow.compile import compile_flow
from catalog.flow.query import FlowQuery, ref_of
from catalog.importers.metricflow import load_manifest
from catalog.query import CompiledQuery
from catalog.types import CatalogSnapshot
from dataagent.management.bench_report import BenchOptions, BenchReport, Timing, result
from dataagent.management.peers import HERE, Peer, peer

_SCHEMA = "main"
_ROUNDS = 40
_WARM_UP = 5

Compile = Callable[[Mapping[str, Any]], float | None]
"""Compiles a query, and gives the milliseconds; None where the side knows no such shape."""


def measure(folder: Path, options: BenchOptions) -> BenchReport:
    """One result per kind of query and peer.

    Raises:
        PeerFailed: a peer that was asked for cannot be started or refuses a query.
    """
    queries = yaml.safe_load((folder / "queries.yaml").read_text(encoding="utf-8"))
    snapshot = load_manifest(folder / "manifest", name="bench", schema=_SCHEMA)
    with ExitStack() as running:
        sides: dict[str, Compile] = {"ours": _ours(snapshot), **_peers(folder, options, running)}
        taken = _taken(queries, sides)
    results = tuple(
        result(str(q["kind"]), taken[q["kind"], "ours"], side, taken[q["kind"], side])
        for q in queries
        for side in sides
        if (q["kind"], side) in taken and (side != "ours" or len(sides) == 1)
    )
    return BenchReport(results=results, notes=(*_conditions(), *_absent(options)))


def _taken(queries: list[dict[str, Any]], sides: Mapping[str, Compile]) -> dict[tuple[str, str], Timing]:
    """All times by kind and side: in each round every query is compiled by every side in turn."""
    times: dict[tuple[str, str], list[float]] = {}
    for number in range(_WARM_UP + _ROUNDS):
        gc.collect()
        for query in queries:
            asked = in_round(query, number)
            for side, compiled in sides.items():
                ms = compiled(asked)
                if ms is not None and number >= _WARM_UP:
                    times.setdefault((query["kind"], side), []).append(ms)
    return {key: Timing(values_ms=tuple(sorted(found))) for key, found in times.items()}


def in_round(part: Any, number: int) -> Any:
    """The query with the round's number in its texts, so that none is seen twice."""
    if isinstance(part, str):
        return part.replace("$round", str(number))
    if isinstance(part, dict):
        return {key: in_round(value, number) for key, value in part.items()}
    return [in_round(value, number) for value in part] if isinstance(part, list) else part


def query_of(asked: Mapping[str, Any], snapshot: CatalogSnapshot) -> FlowQuery:
    """The typed query behind one object of the file."""
    return FlowQuery(
        metrics=tuple(asked["metrics"]),
        group_by=tuple(ref_of(name, snapshot) for name in asked["group_by"]),
        where=tuple(asked.get("where", ())),
    )


def _ours(snapshot: CatalogSnapshot) -> Compile:
    def compiled(asked: Mapping[str, Any]) -> float:
        started = time.process_time()
        found = compile_flow(query_of(asked, snapshot), snapshot)
        taken = time.process_time() - started
        if not isinstance(found, CompiledQuery):
            raise RuntimeError(f"The query {asked['kind']} does not compile: {found[0].message}")
        return taken * 1000

    return compiled


def _peers(folder: Path, options: BenchOptions, running: ExitStack) -> dict[str, Compile]:
    found: dict[str, Compile] = {}
    if options.peer_python:
        python = str(options.peer_python)
        flow = running.enter_context(
            peer(python, str(HERE / "metricflow_peer.py"), str(folder / "manifest"), _SCHEMA)
        )
        wren = running.enter_context(peer(python, str(HERE / "wren_peer.py"), str(folder / "wren.json")))
        found[flow.name] = lambda asked: flow.compile_ms(
            {k: asked[k] for k in ("metrics", "group_by", "where") if k in asked}
        )
        found[wren.name] = lambda asked: wren.compile_ms({"sql": asked["wren"]}) if "wren" in asked else None
    if options.cube_modules:
        modules = str(options.cube_modules.resolve())
        cube = running.enter_context(peer("node", str(HERE / "cube_peer.js"), modules, str(folder / "cube.js")))
        found[cube.name] = _cube(cube)
    return found


def _cube(cube: Peer) -> Compile:
    return lambda asked: cube.compile_ms(asked["cube"]) if "cube" in asked else None


def _conditions() -> tuple[str, ...]:
    load = ", ".join(f"{share:.1f}" for share in os.getloadavg())
    collector = "on" if gc.isenabled() else "off"
    return (
        f"Processor time, {_ROUNDS} rounds after {_WARM_UP} to warm up, sides taking turns. "
        f"Python {sys.version.split()[0]}, garbage collector {collector}, {os.cpu_count()} cores, load {load}.",
    )


def _absent(options: BenchOptions) -> tuple[str, ...]:
    found = []
    if options.peer_python is None:
        found.append(
            "MetricFlow and Wren were not measured: install requirements/bench.lock into an environment of its own "
            "and name its interpreter with --peer-python."
        )
    if options.cube_modules is None:
        found.append(
            "Cube was not measured: run npm install --ignore-scripts @cubejs-backend/schema-compiler in an empty "
            "folder and name its node_modules with --cube-modules."
        )
    return tuple(found)

"""The whole of it: each manifest of a suite, its queries, and a verdict on each."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from catalog.importers.metricflow import load_manifest
from catalog.issues import CatalogError
from catalog.management.metricflow.engines import SCHEMA, Engine, EngineError, engine_with
from catalog.types import CatalogSnapshot
from dataagent.management.differential.asked import Asked, Name, names_of
from dataagent.management.differential.generate import Vocabulary, queries
from dataagent.management.differential.invent import invented
from dataagent.management.differential.tables import add_rows, keep_times, make_missing, store_reversed
from dataagent.management.differential.verdict import Outcome, Verdict, verdict_on
from dataagent.management.peers import HERE, Peer, peer

_SHARED = "shared"
_IN_A_TURN = 25
_VALUES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What to try: `count` queries on each manifest of the suite (or on those named), by `seed`."""

    suite: Path
    peer_python: Path
    count: int
    seed: int
    manifests: tuple[str, ...] = ()
    more_rows: int = 0
    invented: int = 0


def run(given: Given) -> Iterator[tuple[str, Verdict]]:
    """The manifest's name and the verdict, query by query.

    Raises:
        PeerFailed: the peer cannot be started, or cannot read a manifest.
    """
    folders = sorted(p for p in (given.suite / "manifests").iterdir() if p.is_dir() and p.name != _SHARED)
    wanted = [f for f in folders if not given.manifests or f.name in given.manifests]
    with engine_with(given.suite / "tables", "duckdb") as engine, TemporaryDirectory() as place:
        wholes = [_whole(folder, Path(place) / folder.name) for folder in wanted]
        read = {w.name: _with_more(w, _read(w), given) for w in wholes}
        _prepare(engine, [s for s in read.values() if isinstance(s, CatalogSnapshot)], given)
        for whole in wholes:
            for verdict in _on_manifest(whole, read[whole.name], given, engine):
                yield whole.name, verdict


def _read(whole: Path) -> CatalogSnapshot | CatalogError:
    try:
        return load_manifest(whole, name=whole.name, schema=SCHEMA)
    except CatalogError as refused:
        return refused


def _with_more(whole: Path, found: CatalogSnapshot | CatalogError, given: Given) -> CatalogSnapshot | CatalogError:
    """The manifest with invented metrics, where some are wanted."""
    if not given.invented or not isinstance(found, CatalogSnapshot):
        return found
    text = invented(found, Random(f"{given.seed} metrics {whole.name}"), given.invented)  # noqa: S311
    (whole / "invented.yaml").write_text(text, encoding="utf-8")
    return _read(whole)


def _prepare(engine: Engine, snapshots: Sequence[CatalogSnapshot], given: Given) -> None:
    random = Random(f"{given.seed} tables")  # noqa: S311
    for snapshot in snapshots:
        make_missing(engine, snapshot, random)
    keep_times(engine, snapshots)
    if given.more_rows:
        add_rows(engine, snapshots, random, given.more_rows)
    store_reversed(engine)


def _on_manifest(
    whole: Path, snapshot: CatalogSnapshot | CatalogError, given: Given, engine: Engine
) -> Iterator[Verdict]:
    if isinstance(snapshot, CatalogError):
        yield Verdict(asked=Asked(), outcome=Outcome.WE_REFUSE, told=str(snapshot))
        return
    command = (str(given.peer_python), str(HERE / "metricflow_sql_peer.py"), str(whole), SCHEMA)
    with peer(*command) as side:
        random = Random(f"{given.seed} {whole.name}")  # noqa: S311
        asked = queries(_vocabulary(snapshot, side, engine), random, given.count)
        while turn := tuple(islice(asked, _IN_A_TURN)):
            for query, answer in zip(turn, side.answers([q.as_json() for q in turn]), strict=True):
                yield verdict_on(query, answer, snapshot, engine)


def _whole(folder: Path, place: Path) -> Path:
    """One folder with all files of the manifest, its project's included."""
    shutil.copytree(folder, place)
    if not any(folder.rglob("project_configuration.yaml")):
        shutil.copytree(folder.parent / _SHARED, place / _SHARED)
    return place


def _vocabulary(snapshot: CatalogSnapshot, side: Peer, engine: Engine) -> Vocabulary:
    listed = names_of(side.answers([{}])[0]["names"])
    rough = _approximate(side, tuple(m for m in listed if m))

    @cache
    def values(metrics: tuple[str, ...], name: Name) -> Sequence[Any]:
        asked = Asked(metrics=metrics[:1], group_by=(name,))
        sql = side.answers([asked.as_json()])[0].get("sql")
        if not sql:
            return ()
        try:
            columns, rows = engine.run(sql)
        except EngineError:
            return ()
        place = next((i for i, c in enumerate(columns) if c not in metrics), 0)
        found = sorted({row[place] for row in rows if row[place] is not None})
        return tuple(found[:: max(1, len(found) // _VALUES)])

    exact = {m: names for m, names in listed.items() if m not in rough}
    return Vocabulary(names=exact, values=values, saved_queries=tuple(s.name for s in snapshot.saved_queries))


def _approximate(side: Peer, metrics: tuple[str, ...]) -> set[str]:
    """Metrics whose value is whatever an engine gives."""
    answers = side.answers([Asked(metrics=(m,)).as_json() for m in metrics])
    return {m for m, a in zip(metrics, answers, strict=True) if "APPROX" in str(a).upper()}

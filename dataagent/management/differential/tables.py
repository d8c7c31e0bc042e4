"""More rows than a suite brings: tables that its manifests name and it lacks, and more facts in those it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import sqlglot
from sqlglot import exp

from catalog.management.metricflow.engines import REVERSED, SCHEMA, Engine
from catalog.types import CatalogSnapshot, DimensionType, EntityType, SemanticModel, TimeGranularity

_ROWS = 60
_KEYS = 9
_MISSING = 0.04
_ONE = frozenset({EntityType.PRIMARY, EntityType.UNIQUE, EntityType.NATURAL})
_FIRST_DAY = datetime(2019, 11, 20)  # noqa: DTZ001
_DAYS = 130


def make_missing(engine: Engine, snapshot: CatalogSnapshot, random: Random) -> None:
    """A table with random rows for each model of which the suite has none."""
    held = tables_of(engine)
    for model in snapshot.models:
        if name_of(model) not in held:
            columns = dict(_columns(model))
            rows = [[_value(kind, place, random) for kind in columns.values()] for place in range(_ROWS)]
            _make(engine, name_of(model), {n: _TYPES[k] for n, k in columns.items()}, rows)
            held.add(name_of(model))


def keep_times(engine: Engine, snapshots: Iterable[CatalogSnapshot]) -> None:
    """Times that a table keeps as texts as times, which the peer needs."""
    for model in (m for s in snapshots for m in s.models):
        times = {d.expr for d in model.dimensions if d.type == DimensionType.TIME}
        table = f'"{SCHEMA}"."{name_of(model)}"'
        for column, kind, *_ in engine.run(f"DESCRIBE {table}")[1]:
            if column in times and kind == "VARCHAR":
                engine.run(f'ALTER TABLE {table} ALTER COLUMN "{column}" TYPE TIMESTAMP')


def add_rows(engine: Engine, snapshots: Iterable[CatalogSnapshot], random: Random, count: int) -> None:
    """So many more rows in each table of facts: values that its columns hold, mixed anew, some of them missing."""
    models = [m for s in snapshots for m in s.models]
    # the peer drops rows without the key for which a balance is picked
    always = {(name_of(m), c) for m in models for c in _picked_by(m)}
    keyed = {name_of(m) for m in models if any(e.type in _ONE for e in m.entities)}
    for name in sorted({name_of(m) for m in models} - keyed):
        columns, rows = engine.run(f'SELECT * FROM "{SCHEMA}"."{name}"')  # noqa: S608
        if rows:
            values = [[row[place] for row in rows] for place in range(len(columns))]
            lacks = [0.0 if (name, c) in always else _MISSING for c in columns]
            made = [[_mixed(*one, random) for one in zip(values, lacks, strict=True)] for _ in range(count)]
            _insert(engine, name, made)


def store_reversed(engine: Engine) -> None:
    """All tables once more, their rows stored the other way round."""
    for name in sorted(tables_of(engine)):
        engine.run(f'DROP TABLE IF EXISTS "{REVERSED}"."{name}"')
        engine.run(f'CREATE TABLE "{REVERSED}"."{name}" AS SELECT * FROM "{SCHEMA}"."{name}" ORDER BY rowid DESC')  # noqa: S608


def name_of(model: SemanticModel) -> str:
    """The model's table without its schema."""
    return model.table.split(".")[-1].strip('"')


def tables_of(engine: Engine) -> set[str]:
    """The suite's tables in the engine."""
    found = engine.run(f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{SCHEMA}'")  # noqa: S608
    return {str(row[0]) for row in found[1]}


def _picked_by(model: SemanticModel) -> Iterator[str]:
    names = {n for m in model.measures if m.non_additive for n in m.non_additive.window_groupings}
    yield from (c for e in model.entities if e.name in names for c in e.columns())


def _mixed(held: Sequence[Any], missing: float, random: Random) -> Any:
    return None if random.random() < missing else random.choice(held)


_TYPES = {"key": "TEXT", "own_key": "TEXT", "text": "TEXT", "number": "BIGINT"} | {
    g.value: "TIMESTAMP" for g in TimeGranularity
}


def _columns(model: SemanticModel) -> Iterator[tuple[str, str]]:
    """Columns and what they hold; what identifies a row wins over what is measured."""
    for measure in model.measures:
        yield from ((c, "number") for c in _named(measure.expr))
    for dimension in model.dimensions:
        kind = (dimension.granularity or TimeGranularity.DAY).value
        is_time = dimension.type == DimensionType.TIME
        yield from ((c, kind if is_time else "text") for c in _named(dimension.expr))
    for entity in model.entities:
        yield from ((c, "own_key" if entity.type in _ONE else "key") for e in entity.columns() for c in _named(e))


def _named(expression: str) -> list[str]:
    return [c.name for c in sqlglot.parse_one(expression, read="duckdb").find_all(exp.Column)]


def _value(kind: str, place: int, random: Random) -> Any:
    if kind == "own_key":
        return f"k{place}"
    if random.random() < 0.08:
        return None
    if kind == "key":
        return f"k{random.randrange(_KEYS)}"
    if kind in {"text", "number"}:
        return random.choice(("red", "green", "blue")) if kind == "text" else random.randrange(100)
    moment = _FIRST_DAY + timedelta(minutes=random.randrange(_DAYS * 24 * 60))
    return _cut(moment, TimeGranularity(kind))


def _cut(moment: datetime, grain: TimeGranularity) -> datetime:
    day = moment.replace(hour=0, minute=0)
    if grain is TimeGranularity.YEAR:
        return day.replace(month=1, day=1)
    if grain is TimeGranularity.MONTH:
        return day.replace(day=1)
    return day if grain is TimeGranularity.DAY else moment


def _make(engine: Engine, name: str, types: dict[str, str], rows: list[list[Any]]) -> None:
    told = ", ".join(f'"{column}" {kind}' for column, kind in types.items())
    engine.run(f'CREATE TABLE "{SCHEMA}"."{name}" ({told})')
    _insert(engine, name, rows)


def _insert(engine: Engine, name: str, rows: list[list[Any]]) -> None:
    held = exp.Values(expressions=[exp.Tuple(expressions=[_cell(v) for v in row]) for row in rows])
    target = exp.table_(name, db=SCHEMA, quoted=True)
    engine.run(exp.Insert(this=target, expression=held).sql(engine.dialect))


def _cell(value: Any) -> exp.Expr:
    if isinstance(value, datetime):
        return exp.cast(exp.Literal.string(str(value)), "TIMESTAMP")
    return exp.convert(value)

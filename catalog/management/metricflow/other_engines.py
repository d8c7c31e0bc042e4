"""Engines beyond the two that are always there; each needs a package that the product itself does not need."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from catalog.management.metricflow.engines import SCHEMA, Engine, EngineError, Table

TYPES = {
    "mysql": {
        "TIME": "DATETIME(6)",
        "STRING": "VARCHAR(400)",
        "INT": "BIGINT",
        "BOOLEAN": "BOOLEAN",
        "FLOAT": "DOUBLE",
    },
    "spark": {"TIME": "TIMESTAMP", "STRING": "STRING", "INT": "BIGINT", "BOOLEAN": "BOOLEAN", "FLOAT": "DOUBLE"},
    "clickhouse": {
        "TIME": "Nullable(DateTime64(6, 'UTC'))",
        "STRING": "Nullable(String)",
        "INT": "Nullable(Int64)",
        "BOOLEAN": "Nullable(Bool)",
        "FLOAT": "Nullable(Float64)",
    },
}
"""What each engine calls the suite's types of columns."""

_TINY = 1
"""The wire's code of the type in which truths are kept."""

PACKAGES = {"mysql": "pymysql", "spark": "pyspark", "clickhouse": "chdb"}


def missing_package(engine: str) -> str:
    """The package that the engine needs and that is not installed; empty where nothing is missing."""
    package = PACKAGES.get(engine, "")
    return package if package and find_spec(package) is None else ""


class _MySQL:
    """A server at MYSQL_URL's host, port, user and password; a database of its own."""

    dialect = "mysql"

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        try:
            self.connection = self._connect(driver)
        except driver.Error as bad:
            raise EngineError(str(bad)) from bad

    @staticmethod
    def _connect(driver: Any) -> Any:
        return driver.connect(
            host=os.environ.get("MYSQL_HOST", "127.0.0.1"),
            port=int(os.environ.get("MYSQL_PORT", "3306")),
            user=os.environ.get("MYSQL_USER", "root"),
            password=os.environ.get("MYSQL_PASSWORD", ""),
            charset="utf8mb4",
            init_command="SET SESSION time_zone = '+00:00'",
        )

    def run(self, sql: str) -> Table:
        try:
            with self.connection.cursor() as cursor:
                cursor.execute(sql)
                told = cursor.description or ()
                truths = {i for i, d in enumerate(told) if d[1] == _TINY}
                rows = cursor.fetchall() if told else ()
                return tuple(d[0] for d in told), tuple(_with_truths(row, truths) for row in rows)
        except self.driver.Error as bad:
            raise EngineError(str(bad)) from bad


def _with_truths(row: tuple[Any, ...], places: set[int]) -> tuple[Any, ...]:
    return tuple(bool(v) if i in places and v is not None else v for i, v in enumerate(row))


class _Spark:
    """A local session in this process, its tables in a folder that is thrown away."""

    dialect = "spark"

    def __init__(self, sql_module: Any, folder: str) -> None:
        builder = sql_module.SparkSession.builder.master("local[1]").appName("metricflow")
        options = {
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.warehouse.dir": folder,
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.catalogImplementation": "in-memory",
        }
        for key, value in options.items():
            builder = builder.config(key, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def run(self, sql: str) -> Table:
        try:
            found = self.session.sql(sql)
            return tuple(found.columns), tuple(tuple(row) for row in found.collect())
        except Exception as bad:
            # Spark's own errors come wrapped in those of two languages
            raise EngineError(str(bad).strip().partition("\n")[0]) from bad


class _ClickHouse:
    """The engine inside this process, with nothing on disk that stays."""

    dialect = "clickhouse"

    def __init__(self, session_module: Any, arrow: Any) -> None:
        self.session = session_module.Session()
        self.arrow = arrow

    def run(self, sql: str) -> Table:
        try:
            held = self.session.query(sql, "ArrowStream").bytes()
        except RuntimeError as bad:
            raise EngineError(str(bad)) from bad
        if not held:
            return (), ()
        with self.arrow.ipc.open_stream(held) as reader:
            table = reader.read_all()
        columns = [c.to_pylist() for c in table.columns]
        return tuple(table.column_names), tuple(_texts(row) for row in zip(*columns, strict=True))


def _texts(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        v.decode() if isinstance(v, bytes) else v.replace(tzinfo=None) if hasattr(v, "tzinfo") else v for v in row
    )


@contextmanager
def other_engine(name: str, load: Callable[[Engine], None]) -> Iterator[Engine]:
    """The engine with its tables; nothing of it stays afterwards.

    Raises:
        EngineError: the package that it needs is not installed.
    """
    missing = missing_package(name)
    if missing:
        raise EngineError(f"{name} needs the package {missing}; install it and try again")
    with _OPENED[name](load) as engine:
        yield engine


@contextmanager
def _mysql(load: Callable[[Engine], None]) -> Iterator[Engine]:
    engine = _MySQL(import_module("pymysql"))
    engine.run(f"DROP DATABASE IF EXISTS {SCHEMA}")
    try:
        load(engine)
        yield engine
    finally:
        engine.run(f"DROP DATABASE IF EXISTS {SCHEMA}")
        engine.connection.close()


@contextmanager
def _spark(load: Callable[[Engine], None]) -> Iterator[Engine]:
    with tempfile.TemporaryDirectory() as folder:
        engine = _Spark(import_module("pyspark.sql"), folder)
        try:
            load(engine)
            yield engine
        finally:
            engine.session.stop()


@contextmanager
def _clickhouse(load: Callable[[Engine], None]) -> Iterator[Engine]:
    engine = _ClickHouse(import_module("chdb.session"), import_module("pyarrow"))
    try:
        load(engine)
        yield engine
    finally:
        engine.session.close()


_OPENED = {"mysql": _mysql, "spark": _spark, "clickhouse": _clickhouse}

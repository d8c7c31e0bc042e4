"""The engine's own process: run as a script, it opens one DuckDB file read-only and answers requests.

It imports nothing of the product.  Requests come as frames on standard input,
replies go as frames to standard output: four bytes of length, then JSON.  The
end of the input ends the process, so it never outlives its parent.  Engine
messages and plans stay here: only codes, digests and rows leave.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import resource
import struct
import sys
import threading
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, BinaryIO

Frame = dict[str, Any]
_BATCH_ROWS = 2048
_SCHEMA_SQL = """
SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns()
WHERE NOT internal AND database_name = current_database() ORDER BY 1, 2, column_index
"""
_DESCRIBE = {
    "columns": """
SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
WHERE NOT internal AND database_name = current_database() ORDER BY 1, 2, column_index""",
    "constraints": """
SELECT schema_name, table_name, constraint_type, constraint_column_names, constraint_text, referenced_column_names,
  referenced_table
FROM duckdb_constraints() WHERE database_name = current_database() AND constraint_type <> 'CHECK'
ORDER BY 1, 2, constraint_index""",
    "tables": """
SELECT schema_name, table_name, comment, false FROM duckdb_tables()
WHERE NOT internal AND database_name = current_database()
UNION ALL SELECT schema_name, view_name, comment, true FROM duckdb_views()
WHERE NOT internal AND database_name = current_database() ORDER BY 1, 2""",
}


class Refused(Exception):
    """A request that ended with a code instead of a result."""


def main() -> None:
    """Serve one parent until its pipe closes."""
    settings = json.loads(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import duckdb

    limit = settings["address_space_bytes"]
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    connection = open_engine(duckdb, settings)
    requests: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    output = sys.stdout.buffer
    write_frame(output, {"hello": duckdb.__version__})
    threading.Thread(target=_listen, args=(connection, requests), daemon=True).start()
    while True:
        request = requests.get()
        write_frame(output, {"id": request["id"], **_answer(duckdb, connection, request)})


def open_engine(duckdb: Any, settings: Frame) -> Any:
    """A locked connection to the one file of the settings, read-only."""
    config = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "memory_limit": settings["memory_limit"],
        "threads": str(settings["threads"]),
        "temp_directory": settings["temp_directory"],
        "max_temp_directory_size": settings["max_temp_size"],
    }
    connection = duckdb.connect(":memory:", config=config)
    path, catalog = settings["path"].replace("'", "''"), settings["catalog"].replace('"', '""')
    zone = settings["timezone"].replace("'", "''")
    for statement in (
        # A fixed name: DuckDB would call the file by its stem, which a schema inside may share.
        f"ATTACH '{path}' AS \"{catalog}\" (READ_ONLY)",
        f'USE "{catalog}"',
        "DETACH memory",  # else rows could be left there for the next asker
        "SET enable_external_access = false",
        "SET python_enable_replacements = false",
        f"SET TimeZone = '{zone}'",
        "SET enable_progress_bar = false",
        "SET lock_configuration = true",
    ):
        connection.execute(statement)
    return connection


def _listen(connection: Any, requests: queue.SimpleQueue[Frame]) -> None:
    """Pass requests on; an interrupt acts at once, the end of the input ends the process."""
    while True:
        frame = read_frame(sys.stdin.buffer)
        if frame is None:
            os._exit(0)
        if frame["do"] == "interrupt":
            connection.interrupt()
        else:
            requests.put(frame)


def _answer(duckdb: Any, connection: Any, request: Frame) -> Frame:
    work: dict[str, Callable[[Any, Frame], Frame]] = {
        "execute": _execute,
        "explain": _explain,
        "schema": _schema,
        "describe": _describe,
    }
    try:
        return work[request["do"]](connection, request)
    except Refused as refusal:
        return {"fault": str(refusal)}
    except duckdb.InterruptException:
        return {"fault": "interrupted"}
    except (duckdb.OutOfMemoryException, MemoryError):
        return {"fault": "out_of_memory"}
    except Exception:
        return {"fault": "invalid_query"}


def _execute(connection: Any, request: Frame) -> Frame:
    cursor = connection.execute(request["sql"], _parameters(request))
    names = [(d[0], str(d[1])) for d in cursor.description]
    encoders = [_encoder(kind) for _, kind in names]
    columns: list[list[Any]] = [[] for _ in names]
    rows, size, truncated = 0, 0, False
    while batch := cursor.fetchmany(_BATCH_ROWS):
        if rows + len(batch) > request["max_rows"]:
            batch, truncated = batch[: request["max_rows"] - rows], True
        rows += len(batch)
        for column, encode, values in zip(columns, encoders, zip(*batch, strict=True), strict=False):
            fresh = [None if v is None else encode(v) for v in values]
            size += sum(len(v) if isinstance(v, str) else 8 for v in fresh)
            column += fresh
        if size > request["max_bytes"]:
            raise Refused("too_large")
        if truncated:
            break
    return {"columns": [[n, k, _tag(k)] for n, k in names], "values": columns, "rows": rows, "truncated": truncated}


def _explain(connection: Any, request: Frame) -> Frame:
    rows = connection.execute("EXPLAIN (FORMAT JSON) " + request["sql"], _parameters(request)).fetchall()
    plan = rows[0][-1]
    estimate = None
    with contextlib.suppress(ValueError, KeyError, IndexError, TypeError):
        tree = json.loads(plan)
        estimate = int(tree[0]["extra_info"]["Estimated Cardinality"])
    return {"digest": hashlib.sha256(plan.encode()).hexdigest(), "estimate": estimate}


def _schema(connection: Any, _request: Frame) -> Frame:
    return {"columns": connection.execute(_SCHEMA_SQL).fetchall()}


def _describe(connection: Any, _request: Frame) -> Frame:
    return {name: connection.execute(sql).fetchall() for name, sql in _DESCRIBE.items()}


_DECODERS: dict[str, Callable[[str], Any]] = {
    "decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
}


def _parameters(request: Frame) -> dict[str, Any]:
    return {name: value if tag == "" else _DECODERS[tag](value) for name, tag, value in request["parameters"]}


def _tag(kind: str) -> str:
    """How the parent reads a column of this engine type: i, b, d (date), t (datetime), n (decimal), s (text)."""
    if kind.endswith("[]") or "[" in kind:
        return "s"
    base = kind.split("(", 1)[0]
    if base in {"DECIMAL", "DOUBLE", "FLOAT"}:
        return "n"
    if base.endswith(("INT", "INTEGER")):
        return "i"
    return {"BOOLEAN": "b", "DATE": "d"}.get(base, "t" if base.startswith("TIMESTAMP") else "s")


def _encoder(kind: str) -> Callable[[Any], Any]:
    tag = _tag(kind)
    if tag in {"i", "b"}:
        return lambda v: v
    if tag == "n":
        return _number
    if tag in {"d", "t"}:
        return lambda v: v.isoformat() if hasattr(v, "isoformat") else str(v)
    return _text


def _number(value: Any) -> str | None:
    """Exact digits, zero without a sign.  Not-a-number and infinity become null: they are no amounts."""
    text = repr(value + 0.0) if isinstance(value, float) else str(value)
    return None if text in {"nan", "inf", "-inf", "NaN", "Infinity", "-Infinity"} else text


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, default=_text, ensure_ascii=False)
    return str(value)


def read_frame(source: BinaryIO) -> Frame | None:
    """The next frame, or None at the end."""
    head = source.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    body = source.read(length)
    if len(body) < length:
        return None
    frame: Frame = json.loads(body)
    return frame


def write_frame(target: BinaryIO, frame: Frame) -> None:
    """Send one frame."""
    body = json.dumps(frame, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    target.write(struct.pack(">I", len(body)) + body)
    target.flush()


if __name__ == "__main__":
    main()

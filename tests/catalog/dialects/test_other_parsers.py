"""The engines' texts as a parser reads them that did not write them; it reads slowly, so it is off by default."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.catalog.dialects.shapes import SHAPES, compiled

GRAMMARS = {
    "snowflake": "snowflake",
    "bigquery": "bigquery",
    "databricks": "databricks",
    "spark": "sparksql",
    "trino": "trino",
    "redshift": "redshift",
    "clickhouse": "clickhouse",
    "mysql": "mysql",
}
BOUND = re.compile(r"%\(p\d+\)s|(?<![\w:]):p\d+\b|@p\d+|\{p\d+: ?[^}]*\}")
UNKNOWN_TO_IT = {"spark": "WITHIN GROUP"}
"""What the parser has no rule for although the engine runs it (test_running.py ran it)."""


@pytest.mark.slow
@pytest.mark.parametrize("dialect", GRAMMARS)
def test_every_text_can_be_read(dialect: str) -> None:
    core: Any = pytest.importorskip("sqlfluff.core", reason="sqlfluff is not installed: pip install sqlfluff")
    linter = core.Linter(dialect=GRAMMARS[dialect])
    unread = {}
    for shape in SHAPES:
        sql = BOUND.sub("'2024-01-01'", compiled(shape, dialect).sql).replace("TIMESTAMPNTZ", "TIMESTAMP_NTZ")
        if UNKNOWN_TO_IT.get(dialect, "\0") in sql:
            continue
        found = linter.parse_string(sql + "\n").violations
        if found:
            unread[shape] = found[0].desc()
    assert unread == {}

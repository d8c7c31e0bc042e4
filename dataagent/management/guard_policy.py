"""The guard corpus's policy file as an AccessScope: `{b}` and `{schema}` templates become plain SQL."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import sqlglot
from pydantic import BaseModel, Field
from sqlglot import exp

from catalog.access import AccessScope, Mask, MaskKind, RowFilter, TableAccess
from dataagent.sqlguard.schema import Column, TableSchema


class CorpusTable(BaseModel):
    """Grants of one table."""

    columns: list[str]
    row_filter: str | None = None
    masks: dict[str, str] = Field(default_factory=dict)
    denied_columns: list[str] = Field(default_factory=list)


class CorpusSession(BaseModel):
    """Names of the opened database."""

    catalog: str = "wh"
    schema_: str = Field(default="main", alias="schema")


class CorpusPolicy(BaseModel):
    """The principal, its grants and the strings that must never be seen."""

    principal: str = "principal"
    session: dict[str, CorpusSession] = Field(default_factory=dict)
    tables: dict[str, CorpusTable]
    not_granted: list[str] = Field(default_factory=list)
    canaries: list[str] = Field(default_factory=list)

    def place(self, dialect: str) -> CorpusSession:
        """Catalog and schema of the dialect's session."""
        default = CorpusSession.model_validate({"schema": "main" if dialect == "duckdb" else "public"})
        return self.session.get(dialect, default)


def read_policy(path: Path) -> CorpusPolicy:
    """The policy in a JSON file.  Raises: pydantic.ValidationError."""
    return CorpusPolicy.model_validate(json.loads(path.read_text(encoding="utf-8")))


def scope_for(policy: CorpusPolicy, dialect: str) -> AccessScope:
    """The policy's grants in one dialect."""
    place = policy.place(dialect).schema_
    tables = tuple(_access(place, name, table) for name, table in policy.tables.items())
    return AccessScope(
        workspace="corpus",
        principal=policy.principal,
        policy_version="corpus",
        digest=hashlib.sha256(f"{dialect}:{policy.model_dump_json()}".encode()).hexdigest(),
        tables=tables,
    )


def plain(template: str, table: str, schema: str) -> str:
    """The SQL of a template over the table's own name."""
    return template.replace("{b}", _quoted(table)).replace("{schema}", _quoted(schema))


def schema_of(columns: list[tuple[str, str, str]], schema: str) -> tuple[TableSchema, ...]:
    """Tables from (table, column, type) rows in order."""
    found: dict[str, list[Column]] = {}
    for table, column, kind in columns:
        found.setdefault(table, []).append(Column(name=column, type=kind))
    return tuple(TableSchema(name=f"{schema}.{t}", columns=tuple(c)) for t, c in sorted(found.items()))


def _access(schema: str, name: str, table: CorpusTable) -> TableAccess:
    row_filter = None
    if table.row_filter is not None:
        predicate = plain(table.row_filter, name, schema)
        row_filter = RowFilter(id=f"{name}_rows", predicate=predicate, label=f"rows of {name}")
    return TableAccess(
        table=f"{schema}.{name}",
        columns=frozenset(table.columns) - frozenset(table.denied_columns),
        row_filter=row_filter,
        masks=tuple(_mask(column, template) for column, template in table.masks.items()),
    )


def _mask(column: str, template: str) -> Mask:
    """The mask that computes what the template says.  Raises: ValueError for a template of no known kind."""
    tree = sqlglot.parse_one(template.replace("{b}", "b"), read="duckdb")
    if isinstance(tree, exp.Cast) and isinstance(tree.this, exp.Null):
        return Mask(column=column, kind=MaskKind.NULL)
    if isinstance(tree, exp.Null):
        return Mask(column=column, kind=MaskKind.NULL)
    if isinstance(tree, exp.Literal) and tree.is_string:
        return Mask(column=column, kind=MaskKind.CONSTANT, argument=tree.name)
    kept = _kept(tree)
    if kept is not None:
        return Mask(column=column, kind=MaskKind.PARTIAL, argument=kept)
    raise ValueError(f"The mask of column {column} is of no known kind: {template}")


def _kept(tree: Any) -> str | None:
    if not isinstance(tree, exp.DPipe) or not isinstance(tree.this, exp.Substring) or tree.expression.name != "***":
        return None
    start, length = tree.this.args.get("start"), tree.this.args.get("length")
    if start is None or length is None or start.name != "1" or not re.fullmatch(r"[0-9]+", length.name):
        return None
    return str(length.name)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

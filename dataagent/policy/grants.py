"""A policy to start from, made of what a PostgreSQL engine grants.  Pure.

It is never wider than the engine's own rights: a table whose row security cannot be carried over whole is left out,
and roles get no capability and no metric, which the engine knows nothing of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlglot
import yaml
from sqlglot import exp
from sqlglot.errors import SqlglotError

_ALLOWED: tuple[type[exp.Expression], ...] = (
    *(exp.And, exp.Or, exp.Not, exp.Paren, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In),
    *(exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPolicy:
    """A row policy of the engine that holds for reading: its condition, and whether it opens rows or narrows them."""

    name: str
    condition: str
    permissive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineGrant:
    """What a role of the engine may read of one table.  `policies` are those that hold for it, where `secured`.

    `shifting` marks views and foreign tables: what they show may depend on who reads, in ways that no catalog tells.
    """

    role: str
    table: str
    columns: tuple[str, ...]
    secured: bool = False
    shifting: bool = False
    policies: tuple[RowPolicy, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The text of a policy, and what of the engine's rights is not in it."""

    text: str
    warnings: tuple[str, ...]


def imported(grants: Sequence[EngineGrant], *, version: str) -> Imported:
    """The policy that the grants make, a role of ours for each of the engine's."""
    roles: dict[str, dict[str, Any]] = {}
    warnings = ["The engine knows no capabilities and no metrics: no role has any until you add them."]
    for grant in sorted(grants, key=lambda g: (g.role, g.table)):
        tables = roles.setdefault(grant.role, {"tables": {}})["tables"]
        told: dict[str, Any] = {"columns": list(grant.columns)}
        if grant.shifting:
            words = "a view or foreign table may show each login other rows"
            warnings.append(f"{grant.role}: {grant.table} is left out; {words}.")
            continue
        if grant.secured:
            predicate = _predicate(grant.policies)
            if predicate is None:
                names = ", ".join(p.name for p in grant.policies) or "none that opens a row"
                warnings.append(f"{grant.role}: {grant.table} is left out; its row policies cannot be kept ({names}).")
                continue
            told["row_filter"] = {
                "id": _id_of(grant),
                "predicate": predicate,
                "label": "as the warehouse's row policies say",
            }
        tables[grant.table] = told
    text = yaml.safe_dump({"version": version, "roles": roles}, sort_keys=False, allow_unicode=True, width=110)
    return Imported(text=text, warnings=tuple(warnings))


def _predicate(policies: Sequence[RowPolicy]) -> str | None:
    """One condition for all of them, as the engine joins them; None where one cannot be kept, or none opens a row."""
    opening = [_condition(p.condition) for p in policies if p.permissive]
    narrowing = [_condition(p.condition) for p in policies if not p.permissive]
    kept = [c for c in (*opening, *narrowing) if c is not None]
    if not opening or len(kept) < len(policies):
        return None
    opened = " OR ".join(f"({c})" for c in opening)
    return " AND ".join([f"({opened})", *(f"({c})" for c in narrowing)])


def _condition(text: str) -> str | None:
    """The condition over columns and constants alone; None where it asks who is connected, calls or reads anything."""
    try:
        tree = sqlglot.parse_one(text, read="postgres").transform(_uncast)
    except SqlglotError:
        return None
    known = all(isinstance(node, _ALLOWED) and type(node) in _ALLOWED for node in tree.walk())
    if not known or any(column.table for column in tree.find_all(exp.Column)):
        return None
    return tree.sql(dialect="postgres")


def _uncast(node: exp.Expression) -> exp.Expression:
    """A text constant without its type: PostgreSQL writes one to each."""
    texts = exp.DataType.TEXT_TYPES
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal) and node.this.is_string:
        return node.this if node.to.this in texts and not node.to.expressions else node
    return node


def _id_of(grant: EngineGrant) -> str:
    digest = hashlib.sha256(f"{grant.role}\x1f{grant.table}".encode()).hexdigest()
    return f"engine_rows_{digest[:8]}"

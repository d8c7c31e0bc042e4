"""What the tables and columns of a warehouse are called in it."""

from __future__ import annotations

import re

from sqlglot import exp

from catalog.compiler.dialects.trees import alias_of, own_selects

_UNQUOTED = re.compile(r"[a-z_][a-z0-9_$]*")


def stored_in_capitals(tree: exp.Expr) -> exp.Expr:
    """Tables and their columns that are written in small letters, as Snowflake stores them: in capitals.

    A name with a capital or any sign that needs quotes is stored as it is written.  Names
    that the statement itself gives are left alone.
    """
    queries = {cte.alias for cte in tree.find_all(exp.CTE)}
    for select in own_selects(tree):
        stored = set()
        for source in sources_of(select):
            if isinstance(source, exp.Table) and (source.db or source.name not in queries):
                stored.add(alias_of(source))
                source.set("alias", source.args.get("alias") or exp.TableAlias(this=source.this.copy()))
                for part in ("this", "db", "catalog"):
                    _fold(source.args.get(part))
        for column in select.find_all(exp.Column):
            if column.table in stored and column.parent_select is select:
                _fold(column.this)
    return tree


def sources_of(select: exp.Select) -> list[exp.Expr]:
    """What a select reads from, in order."""
    start = select.args.get("from_")
    joins = select.args.get("joins") or []
    return [*([start.this] if start is not None else []), *(j.this for j in joins)]


def _fold(identifier: object) -> None:
    if isinstance(identifier, exp.Identifier) and _UNQUOTED.fullmatch(identifier.name):
        identifier.set("this", identifier.name.upper())

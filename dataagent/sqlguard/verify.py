"""Write the statement out, read it again, and compare: what runs must be what was decided."""

from __future__ import annotations

from collections import Counter

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dataagent.sqlguard import nodes
from dataagent.sqlguard.functions import spelled
from dataagent.sqlguard.inject import injection
from dataagent.sqlguard.refusals import Reason, Stop
from dataagent.sqlguard.world import World

Bases = Counter[tuple[str, str, str]]
_WRAPPERS = {"Cast", "Case", "If", "Coalesce"}


def verified(tree: exp.Expr, world: World, used: tuple[tuple[str, str], ...]) -> str:
    """The text of `tree`.  Raises: Stop where reading it back gives other tables, functions or another kind."""
    try:
        sql = tree.sql(dialect=world.dialect, comments=False, normalize_functions=False)
        again = sqlglot.parse(sql, read=world.dialect)
    except (SqlglotError, ValueError, TypeError):
        raise Stop(Reason.DRIFT) from None
    if len(again) != 1 or again[0] is None or type(again[0]) is not type(tree):
        raise Stop(Reason.DRIFT)
    nodes.check_nodes(again[0], world.dialect)
    bases = _bases(again[0])
    if bases != _bases(tree) or not _same_functions(_functions(again[0]), _functions(tree)):
        raise Stop(Reason.DRIFT)
    if not set(bases) <= _expected(world, used):
        raise Stop(Reason.DRIFT)
    return sql


def _expected(world: World, used: tuple[tuple[str, str], ...]) -> set[tuple[str, str, str]]:
    """The tables that the injected sub-queries may read: the granted ones and those of their filters."""
    return {base for key in used for base in _bases(injection(world, key).select)}


def _bases(tree: exp.Expr) -> Bases:
    """Qualified table names with counts.  An unqualified name is a CTE's, which resolution has proved."""
    tables = [t for t in tree.find_all(exp.Table) if isinstance(t.this, exp.Identifier) and t.args.get("db")]
    return Counter((t.catalog, t.db, t.name) for t in tables)


def _same_functions(after: Counter[str], before: Counter[str]) -> bool:
    """Whether only wrappers differ that the generator itself adds around arguments."""
    changed = (after - before) + (before - after)
    return set(changed) <= _WRAPPERS


def _functions(tree: exp.Expr) -> Counter[str]:
    """Function kinds and unknown functions' names with counts."""
    found = (node for node in tree.find_all(exp.Func))
    return Counter((spelled(n) or "") if isinstance(n, exp.Anonymous) else type(n).__name__ for n in found)

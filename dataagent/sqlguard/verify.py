"""Write the statement out, read it again, and compare: what runs must be what was decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import sqlglot
from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError
from sqlglot.generator import Generator

from dataagent.sqlguard import nodes
from dataagent.sqlguard.functions import spelled
from dataagent.sqlguard.inject import injection
from dataagent.sqlguard.refusals import Reason, Stop
from dataagent.sqlguard.world import World

_WRAPPERS = {"Cast", "Case", "If", "Coalesce"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a tree reads and calls: qualified tables and functions, with counts."""

    bases: Counter[tuple[str, str, str]]
    functions: Counter[str]


def verified(tree: exp.Expr, world: World, used: tuple[tuple[str, str], ...]) -> str:
    """The text of `tree`, which is used up by writing it.

    Raises: Stop where reading the text back gives other tables, functions or another kind.
    """
    before = _profile(tree)
    kind = type(tree)
    try:
        sql = _generator(world.dialect).generate(tree, copy=False)
        again = sqlglot.parse(sql, read=world.dialect)
    except (SqlglotError, ValueError, TypeError):
        raise Stop(Reason.DRIFT) from None
    if len(again) != 1 or again[0] is None or type(again[0]) is not kind:
        raise Stop(Reason.DRIFT)
    nodes.check_nodes(again[0], world.dialect)
    after = _profile(again[0])
    if after.bases != before.bases or not _same_functions(after.functions, before.functions):
        raise Stop(Reason.DRIFT)
    if not set(after.bases) <= {base for key in used for base in injection(world, key).bases}:
        raise Stop(Reason.DRIFT)
    return sql


def _generator(dialect: str) -> Generator:
    return Dialect.get_or_raise(dialect).generator(comments=False, normalize_functions=False)


def _profile(tree: exp.Expr) -> Profile:
    """An unqualified table name is a CTE's, which resolution has proved, and is not counted."""
    bases: Counter[tuple[str, str, str]] = Counter()
    functions: Counter[str] = Counter()
    for node in tree.walk():
        if isinstance(node, exp.Table):
            if isinstance(node.this, exp.Identifier) and node.args.get("db"):
                bases[(node.catalog, node.db, node.name)] += 1
        elif isinstance(node, exp.Anonymous):
            functions[spelled(node) or ""] += 1
        elif isinstance(node, exp.Func):
            functions[type(node).__name__] += 1
    return Profile(bases=bases, functions=functions)


def _same_functions(after: Counter[str], before: Counter[str]) -> bool:
    """Whether nothing was added but wrappers that the generator itself writes (`date(x)` becomes a cast)."""
    return set(after - before) <= _WRAPPERS

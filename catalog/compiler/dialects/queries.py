"""Names of queries within queries."""

from __future__ import annotations

from itertools import count

from sqlglot import exp

from catalog.compiler.dialects.trees import name


def named_once(tree: exp.Expr) -> exp.Expr:
    """Every query of the statement under a name of its own, for engines to which all of them are written on top.

    Inner queries come first, so that an outer name never reaches into them.
    """
    taken: set[str] = set()
    for given in reversed(list(tree.find_all(exp.With))):
        for query in given.expressions:
            old = query.alias
            new = old if old not in taken else next(n for n in (f"{old}_{i}" for i in count(2)) if n not in taken)
            taken.add(new)
            if new != old:
                _rename(given.parent or tree, query, old=old, new=new)
    return tree


def _rename(within: exp.Expr, query: exp.Expr, *, old: str, new: str) -> None:
    query.set("alias", exp.TableAlias(this=name(new)))
    for table in within.find_all(exp.Table):
        if table.name == old and not table.db:
            table.set("alias", table.args.get("alias") or exp.TableAlias(this=name(old)))
            table.set("this", name(new))

"""The tables of one side: its own and, many-to-one, those that its dimensions need."""

from __future__ import annotations

from itertools import chain, count

from sqlglot import exp

from catalog.compiler.stop import stop
from catalog.expressions import BadExpression, row_expression
from catalog.issues import IssueCode
from catalog.lookup import lookup
from catalog.reach import Hop, JoinPath
from catalog.types import CatalogSnapshot, SemanticModel


class Tables:
    """Collects the joins of one side, each once, under readable aliases."""

    def __init__(self, snapshot: CatalogSnapshot, root: SemanticModel) -> None:
        self._snapshot = snapshot
        self._root = root
        self._aliases: dict[tuple[Hop, ...], str] = {(): root.name}
        self._joins: list[exp.Join] = []
        self.read: set[str] = {root.table}
        self.crosses_bridge = False

    def column(self, path: JoinPath, expr: str) -> exp.Expr:
        """The expression over the model at the end of `path`, joined if it is not yet."""
        return self._over(self._alias(path.hops), expr)

    def own(self, expr: str) -> exp.Expr:
        """The expression over the side's own table."""
        return self._over(self._root.name, expr)

    def select(self) -> exp.Select:
        """`SELECT` without columns from the table and its joins."""
        found = exp.Select().from_(_table(self._root.table, self._root.name))
        for join in self._joins:
            found.append("joins", join)
        return found

    def _alias(self, hops: tuple[Hop, ...]) -> str:
        if hops in self._aliases:
            return self._aliases[hops]
        before, last = self._alias(hops[:-1]), hops[-1]
        taken = set(self._aliases.values())
        tried = chain((last.right,), (f"{last.right}_{n}" for n in count(2)))
        alias = next(a for a in tried if a not in taken)
        self._aliases[hops] = alias
        model = lookup(self._snapshot).models[last.right]
        pairs = zip(last.left_columns, last.right_columns, strict=True)
        meets = [exp.EQ(this=self._over(before, mine), expression=self._over(alias, other)) for mine, other in pairs]
        self._joins.append(exp.Join(this=_table(model.table, alias), side="LEFT", on=exp.and_(*meets, copy=False)))
        self.read.add(model.table)
        self.crosses_bridge |= last.bridge
        return alias

    def _over(self, alias: str, expr: str) -> exp.Expr:
        try:
            return row_expression(expr, alias, self._snapshot.dialect)
        except BadExpression as bad:
            raise stop(IssueCode.INVALID_CATALOG, f"{bad}.", subject=expr) from bad


def _table(qualified: str, alias: str) -> exp.Table:
    *spaces, name = qualified.split(".")
    return exp.Table(
        this=exp.to_identifier(name, quoted=True),
        db=exp.to_identifier(spaces[-1], quoted=True) if spaces else None,
        catalog=exp.to_identifier(spaces[-2], quoted=True) if len(spaces) > 1 else None,
        alias=exp.TableAlias(this=exp.to_identifier(alias, quoted=True)),
    )

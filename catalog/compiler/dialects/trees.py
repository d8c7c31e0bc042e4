"""Small trees that the engines' rewrites share."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

Step = Callable[[exp.Expr], exp.Expr]
"""A rewrite of the whole statement; it may change the tree that it gets."""


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    """`name(arguments…)`, written as it stands."""
    return exp.Anonymous(this=name, expressions=list(arguments))


def cast(value: exp.Expr, to: exp.DataType) -> exp.Expr:
    """The value as a type; not cast twice."""
    if isinstance(value, exp.Cast) and value.to == to:
        return value
    return exp.Cast(this=value, to=to.copy())


def number(value: int) -> exp.Expr:
    """A whole number."""
    return exp.Literal.number(value)


def text(value: str) -> exp.Literal:
    """A string literal."""
    return exp.Literal.string(value)


def plus(value: exp.Expr, other: exp.Expr) -> exp.Paren:
    """`(value + other)`."""
    return exp.Paren(this=exp.Add(this=value, expression=other))


def minus(value: exp.Expr, other: exp.Expr) -> exp.Paren:
    """`(value - other)`."""
    return exp.Paren(this=exp.Sub(this=value, expression=other))


def times(value: exp.Expr, other: exp.Expr) -> exp.Mul:
    """`value * other`; both must bind closer than a product."""
    return exp.Mul(this=value, expression=other)


def name(value: str) -> exp.Identifier:
    """A quoted name."""
    return exp.to_identifier(value, quoted=True)


def column(source: str, held: str) -> exp.Column:
    """`"source"."held"`."""
    return exp.Column(this=name(held), table=name(source))


def named(value: exp.Expr, alias: str) -> exp.Alias:
    """`value AS "alias"`."""
    return exp.Alias(this=value, alias=name(alias))


def is_null(value: exp.Expr) -> exp.Is:
    """`value IS NULL`."""
    return exp.Is(this=value, expression=exp.null())


def alias_of(source: exp.Expr) -> str:
    """The name by which the columns of a table or subquery are called."""
    return str(source.alias_or_name)


def own_selects(tree: exp.Expr) -> list[exp.Select]:
    """Every select of the statement, the inner ones first."""
    return list(reversed(list(tree.find_all(exp.Select))))


def columns_from(select: exp.Select, sources: set[str]) -> list[exp.Column]:
    """The columns of the select that it reads from these sources itself, in order, each place of use."""
    held: list[exp.Column] = []
    clauses = (v for k, v in select.args.items() if k not in {"with_", "from_"})
    for clause in clauses:
        for part in clause if isinstance(clause, list) else [clause]:
            if isinstance(part, exp.Expr):
                found = (part,) if isinstance(part, exp.Column) else part.find_all(exp.Column)
                held.extend(c for c in found if c.table in sources and c.parent_select is select)
    return held

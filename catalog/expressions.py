"""SQL expressions of the catalog as trees: parsed once, checked to be plain, qualified by their model."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

_PLAIN_NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
_CLOSED = (exp.Column, exp.Literal, exp.Func, exp.Paren, exp.Boolean)
_NOT_ROW_WISE = (exp.Query, exp.AggFunc, exp.Window, exp.Star, exp.Placeholder, exp.Parameter, exp.Command)


class BadExpression(ValueError):
    """An expression that is not a plain formula over one row of its model."""


def is_plain_name(text: str) -> bool:
    """Whether a column's name is an expression as it stands; any other must be quoted."""
    return bool(_PLAIN_NAME.match(text))


def without_places(tree: exp.Expr) -> exp.Expr:
    """The tree without its nodes' places in the text, which every copy would carry along."""
    for node in tree.walk():
        node._meta = None
    return tree


@lru_cache(maxsize=20_000)
def _parsed(text: str, dialect: str) -> exp.Expr:
    if _PLAIN_NAME.match(text):
        return exp.column(exp.to_identifier(text, quoted=True))
    try:
        tree = sqlglot.parse_one(text, dialect=dialect)
    except (SqlglotError, RecursionError) as bad:
        raise BadExpression(f'"{text}" is not an expression') from bad
    return without_places(tree)


@lru_cache(maxsize=20_000)
def _row_wise(text: str, dialect: str) -> exp.Expr:
    tree = _parsed(text, dialect)
    odd = next(tree.find_all(*_NOT_ROW_WISE), None)
    if odd is not None or not isinstance(tree, exp.Condition):
        raise BadExpression(f'"{text}" must be a formula over one row, without aggregates or subqueries')
    if any(c.table for c in tree.find_all(exp.Column)):
        raise BadExpression(f'"{text}" must name its own columns without a table')
    return _divided_safely(tree.copy())


def _divided_safely(tree: exp.Expr) -> exp.Expr:
    """No division cuts whole numbers by accident, and each is empty where it would divide by 0, on every engine."""
    for division in tree.find_all(exp.Div, exp.Mod, exp.IntDiv):
        over = division.expression
        is_number = isinstance(over, exp.Literal) and over.is_number and Decimal(over.this) != 0
        if not is_number and not isinstance(over, exp.Nullif):
            division.set("expression", exp.Nullif(this=over, expression=exp.Literal.number(0)))
        if isinstance(division, exp.Div):
            division.set("typed", False)
            division.set("safe", False)
    return tree


def row_expression(text: str, alias: str, dialect: str) -> exp.Expr:
    """The expression with every column quoted and qualified by `alias`.

    Raises:
        BadExpression: it is not a plain formula over one row.
    """
    if _PLAIN_NAME.match(text):
        return _column(text, alias)
    whole = _row_wise(text, dialect)
    if isinstance(whole, exp.Column):
        return _column(whole.name, alias)
    tree = whole.copy()
    for column in tree.find_all(exp.Column):
        column.set("this", exp.Identifier(this=column.name, quoted=True))
        column.set("table", exp.Identifier(this=alias, quoted=True))
    # an operator must not bind to a part of the expression: `a OR b` = 1
    return tree if isinstance(tree, _CLOSED) else exp.Paren(this=tree)


def _column(name: str, alias: str) -> exp.Column:
    return exp.Column(this=exp.Identifier(this=name, quoted=True), table=exp.Identifier(this=alias, quoted=True))


def columns_of(text: str, dialect: str) -> frozenset[str]:
    """The column names that an expression reads, as written; every name where it cannot be parsed is refused.

    Raises:
        BadExpression: it is not a plain formula over one row.
    """
    if _PLAIN_NAME.match(text):
        return frozenset({text})
    return frozenset(c.name for c in _row_wise(text, dialect).find_all(exp.Column))


def formula(text: str, dialect: str) -> exp.Expr:
    """A derived metric's formula over the names of its inputs, as a tree to fill in.

    Raises:
        BadExpression: it is not a plain formula.
    """
    return _row_wise(text, dialect).copy()


def formula_names(text: str, dialect: str) -> frozenset[str]:
    """The names that a formula uses.

    Raises:
        BadExpression: it is not a plain formula.
    """
    return frozenset(c.name for c in _row_wise(text, dialect).find_all(exp.Column))


def linear(tree: exp.Expr) -> bool:
    """Whether a formula only adds and subtracts its inputs, or scales them by a number."""
    if isinstance(tree, exp.Column):
        return True
    if isinstance(tree, exp.Paren | exp.Neg):
        return linear(tree.this)
    if isinstance(tree, exp.Add | exp.Sub):
        return linear(tree.this) and linear(tree.expression)
    if isinstance(tree, exp.Mul):
        pair = (tree.this, tree.expression)
        return any(isinstance(a, exp.Literal) and linear(b) for a, b in (pair, pair[::-1]))
    return isinstance(tree, exp.Div) and isinstance(tree.expression, exp.Literal) and linear(tree.this)

"""Equality in which two missing values are the same."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from catalog.compiler.dialects.trees import Step, is_null

Same = Callable[[exp.Expr, exp.Expr], exp.Expr]


def safely_equal(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    """The engine's own null-safe equality."""
    return exp.NullSafeEQ(this=one, expression=other)


def equal_or_both_missing(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    """The same in plain comparisons."""
    both = exp.and_(is_null(one.copy()), is_null(other.copy()))
    return exp.Paren(this=exp.or_(exp.EQ(this=one, expression=other), both))


def same_as(same: Same) -> Step:
    """The step that writes every null-safe equality as `same` does."""

    def step(tree: exp.Expr) -> exp.Expr:
        for node in list(tree.find_all(exp.NullSafeEQ)):
            node.replace(same(node.this.copy(), node.expression.copy()))
        return tree

    return step

"""Conditions such as `{{ Dimension('listing__country') }} = 'us'`: as a tree whose columns are known names.

A template is read, never executed: each `{{ … }}` is one Python expression of calls,
names and literals, looked up in a given set of functions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from catalog.compiler.refs import Ref, at_grain, ref_of
from catalog.compiler.sql import unplaced
from catalog.compiler.stop import stop
from catalog.expressions import without_places
from catalog.issues import IssueCode
from catalog.lookup import Whole
from catalog.types import CatalogSnapshot

_HOLE = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_UNSAFE = (exp.Query, exp.AggFunc, exp.Window, exp.Star, exp.Placeholder, exp.Parameter, exp.Command)


class BadTemplate(ValueError):
    """A template that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One condition on rows: `tree` names each of `refs` as the column `ref_<index>`."""

    text: str
    refs: tuple[Ref, ...]
    tree: exp.Expr = field(compare=False, hash=False)


def condition_of(text: str, snapshot: CatalogSnapshot, default_grain: str) -> Condition:
    """The condition; a metric_time without a grain is at `default_grain`."""
    return _condition_of(text, Whole(snapshot), default_grain)


@lru_cache(maxsize=4_096)
def _condition_of(text: str, whole: Whole, default_grain: str) -> Condition:
    snapshot = whole.snapshot
    found: list[Ref] = []

    def keep(ref: Ref) -> str:
        known = at_grain(ref, default_grain) if ref.is_metric_time and not (ref.grain or ref.part) else ref
        if known not in found:
            found.append(known)
        return f"ref_{found.index(known)}"

    try:
        sql = render(text, _names(snapshot, keep))
        tree = _parsed(sql, snapshot.dialect)
    except (BadTemplate, TypeError) as bad:
        raise stop(IssueCode.INVALID_CATALOG, f"The condition {text} cannot be read: {bad}.", subject=text) from bad
    for column in list(tree.find_all(exp.Column)):
        if not re.fullmatch(r"ref_\d+", column.name):
            column.set("this", exp.to_identifier(keep(ref_of(column.name, snapshot))))
    return Condition(text=f"{text}@{default_grain}", refs=tuple(found), tree=tree)


def fill(condition: Condition, value: Callable[[Ref], exp.Expr]) -> exp.Expr:
    """The condition over columns: each name replaced by its value."""
    values = {f"ref_{i}": value(ref) for i, ref in enumerate(condition.refs)}
    # in brackets first: the condition may be nothing but one name
    whole = exp.paren(condition.tree)
    for held in list(whole.find_all(exp.Column)):
        if held.name in values:
            held.replace(unplaced(values[held.name]))
    return whole


def _parsed(sql: str, dialect: str) -> exp.Expr:
    try:
        statements = sqlglot.parse(sql, dialect=dialect)
    except (SqlglotError, RecursionError) as bad:
        raise BadTemplate("it is not a condition") from bad
    tree = statements[0] if len(statements) == 1 else None
    # a second statement behind a semicolon must not ride along
    if not isinstance(tree, exp.Condition):
        raise BadTemplate("it is not one condition")
    if tree.find(*_UNSAFE) is not None or any(c.table for c in tree.find_all(exp.Column)):
        raise BadTemplate("a condition must name dimensions only, without aggregates or subqueries")
    return without_places(tree)


# -- reading a template --------------------------------------------------------------------


def render(text: str, names: Mapping[str, Any]) -> str:
    """The text with every `{{ … }}` replaced by its value.

    Raises:
        BadTemplate: an expression that is not made of known names, calls and literals.
    """
    return _HOLE.sub(lambda hole: str(evaluate(hole[1].strip(), names)), text)


def evaluate(text: str, names: Mapping[str, Any]) -> Any:
    """The value of one expression of known names, calls and literals.

    Raises:
        BadTemplate: anything else.
    """
    try:
        return _value(ast.parse(text, mode="eval").body, names)
    except SyntaxError as bad:
        raise BadTemplate(f'"{text}" is not an expression') from bad


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, names) for item in node.elts]
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.Attribute) and not node.attr.startswith("_"):
        return getattr(_value(node.value, names), node.attr)
    if isinstance(node, ast.Call):
        given = {k.arg: _value(k.value, names) for k in node.keywords if k.arg}
        return _value(node.func, names)(*(_value(a, names) for a in node.args), **given)
    raise BadTemplate(f'"{ast.unparse(node)}" is not known here')


@dataclass(frozen=True, slots=True)
class Name:
    """A template's name with MetricFlow's methods; as text it is the column that stands for it."""

    ref: Ref
    keep: Callable[[Ref], str]
    is_descending: bool = False

    def grain(self, grain: str) -> Name:
        """The same time at another grain."""
        return Name(at_grain(self.ref, grain), self.keep, self.is_descending)

    def date_part(self, part: str) -> Name:
        """A part of the same time."""
        return Name(at_grain(self.ref, None, part), self.keep, self.is_descending)

    def descending(self, is_descending: bool = True) -> Name:
        """The same name, sorted from the largest."""
        return Name(self.ref, self.keep, is_descending)

    def __str__(self) -> str:
        return self.keep(self.ref)


def names_of(snapshot: CatalogSnapshot) -> dict[str, Callable[..., Name]]:
    """MetricFlow's functions for names outside conditions (saved queries)."""
    return _names(snapshot, lambda ref: ref.column)


def _names(snapshot: CatalogSnapshot, keep: Callable[[Ref], str]) -> dict[str, Callable[..., Name]]:
    def reference(name: str, entity_path: list[str] | None = None) -> Ref:
        ref = ref_of(name, snapshot)
        before = tuple(part.lower() for part in entity_path or ())
        return replace(ref, path=(*before, *ref.path))

    def dimension(name: str, entity_path: list[str] | None = None) -> Name:
        return Name(reference(name, entity_path), keep)

    def time(
        name: str,
        grain: str | None = None,
        entity_path: list[str] | None = None,
        date_part_name: str | None = None,
    ) -> Name:
        return Name(at_grain(reference(name, entity_path), grain, date_part_name), keep)

    def metric(name: str, group_by: list[str] | None = None) -> Name:
        if group_by is None:
            return Name(Ref(name=name.lower()), keep)
        if len(group_by) != 1:
            raise BadTemplate("a metric in a condition is grouped by exactly one entity")
        path = tuple(part.lower() for part in str(group_by[0]).split("__"))
        return Name(Ref(name=name.lower(), path=path, metric=True), keep)

    return {"Dimension": dimension, "TimeDimension": time, "Entity": dimension, "Metric": metric}

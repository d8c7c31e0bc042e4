"""Starts of periods, shifts and parts of times, in each engine's own words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from catalog.compiler.dialects.trees import Step, cast
from catalog.compiler.stop import stop
from catalog.issues import IssueCode

UNITS = ("MICROSECOND", "MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
_MOMENTS = (exp.DataType.Type.TIMESTAMP, exp.DataType.Type.DATETIME, exp.DataType.Type.TIMESTAMPNTZ)


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How one engine tells times.

    `moment` is its type of times without a zone, to the microsecond; `day` that of days.
    The functions get a value of type `moment` and an upper-case unit: the start of its
    period (weeks from Monday), the value moved by a count, and a part of it as a number
    (days of the week from Monday = 1).  `units` are those that it can cut to and move by.
    """

    label: str
    moment: exp.DataType
    day: exp.DataType
    start_of: Callable[[exp.Expr, str], exp.Expr]
    moved: Callable[[exp.Expr, exp.Expr, str], exp.Expr]
    part: Callable[[exp.Expr, str], exp.Expr]
    units: tuple[str, ...] = UNITS


def rewritten_times(told: Times) -> Step:
    """The step that brings every time of the statement to the engine."""

    def put(node: exp.Expr) -> exp.Expr:
        for kind, rewrite in _REWRITES:
            if isinstance(node, kind):
                return rewrite(node, told)
        return node

    def step(tree: exp.Expr) -> exp.Expr:
        return _bottom_up(tree, put)

    return step


def _bottom_up(tree: exp.Expr, put: Callable[[exp.Expr], exp.Expr]) -> exp.Expr:
    """Inner nodes first, so that what a rewrite puts in is not rewritten again."""
    for node in reversed(list(tree.walk())):
        made = put(node)
        if made is not node:
            if node is tree:
                return made
            node.replace(made)
    return tree


def _cast(node: exp.Expr, told: Times) -> exp.Expr:
    kind = node.args["to"].this
    if kind in _MOMENTS:
        node.set("to", told.moment.copy())
    elif kind is exp.DataType.Type.DATE:
        node.set("to", told.day.copy())
    return node


def _start(node: exp.Expr, told: Times) -> exp.Expr:
    return told.start_of(cast(node.this.copy(), told.moment), _unit(node.args.get("unit"), told))


def _shift(node: exp.Expr, told: Times) -> exp.Expr:
    found = _interval(node.expression)
    if found is None:
        return node
    count, unit = found
    moment = cast(node.this.copy(), told.moment)
    return told.moved(moment, _negative(count) if isinstance(node, exp.Sub) else count, _unit(unit, told))


def _interval(value: exp.Expr) -> tuple[exp.Expr, exp.Expr | None] | None:
    """How often which unit: `INTERVAL '3' MONTH`, `n * INTERVAL '1' DAY`."""
    if isinstance(value, exp.Interval):
        held = value.this
        count = exp.Literal.number(held.this) if isinstance(held, exp.Literal) else held.copy()
        return count, value.args.get("unit")
    if isinstance(value, exp.Mul) and isinstance(value.expression, exp.Interval):
        one = value.expression.this
        if isinstance(one, exp.Literal) and one.this == "1":
            return value.this.copy(), value.expression.args.get("unit")
    return None


def _negative(count: exp.Expr) -> exp.Expr:
    return exp.Neg(this=count if isinstance(count, exp.Literal | exp.Paren) else exp.Paren(this=count))


def _part(node: exp.Expr, told: Times) -> exp.Expr:
    part = node.this.name.lower()
    if part not in {"year", "quarter", "month", "day", "isodow", "doy"}:
        return node
    return told.part(cast(node.expression.copy(), told.moment), part)


def _least(node: exp.Expr, told: Times) -> exp.Expr:
    """Of ends of periods, none of which is missing."""
    if not node.args.get("ignore_nulls"):
        return node
    ends = [cast(e.copy(), told.moment) for e in (node.this, *node.expressions)]
    return exp.Least(this=ends[0], expressions=ends[1:])


def _unit(unit: exp.Expr | None, told: Times) -> str:
    name = unit.name.upper().removesuffix("S") if unit is not None else ""
    if name not in told.units:
        shown = name.lower() or "this unit"
        raise stop(IssueCode.UNSUPPORTED, f"{told.label} has no times by {shown}.", subject=shown)
    return name


_REWRITES: tuple[tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], Callable[[exp.Expr, Times], exp.Expr]], ...] = (
    (exp.Cast, _cast),
    ((exp.TimestampTrunc, exp.DateTrunc), _start),
    ((exp.Add, exp.Sub), _shift),
    (exp.Extract, _part),
    (exp.Least, _least),
)

"""What a query may make out of nothing: generated rows, repeated text, recursion."""

from __future__ import annotations

import math
import re

from sqlglot import exp

from dataagent.sqlguard.functions import NAMES, spelled
from dataagent.sqlguard.refusals import Reason, Stop

MAX_SERIES_ROWS = 1_000_000
MAX_MADE_ROWS = 10_000_000
MAX_LENGTH = 10_000

_SERIES = (exp.GenerateSeries, exp.ExplodingGenerateSeries)
_GROWING = (exp.Repeat, exp.Pad, exp.Format, exp.Space, exp.ToChar, exp.NumberToStr)
_GROWING_NAMES = {
    "repeat", "lpad", "rpad", "printf", "format", "bitstring", "array_fill", "array_resize", "list_resize", "to_char",
    "bar", "formatreadablesize",
}  # fmt: skip
_WIDE = re.compile(r"\d{5,}")


_BY_NAME = {"list_aggregate", "list_aggr", "array_aggregate", "array_aggr", "aggregate"}


def check_named_functions(tree: exp.Expr, dialect: str) -> None:
    """Stops functions that are called by a name in text, unless the name is allowed and plainly there."""
    for node in tree.find_all(exp.Anonymous):
        if spelled(node) in _BY_NAME:
            name = node.expressions[1] if len(node.expressions) > 1 else None
            if not isinstance(name, exp.Literal) or name.name.lower() not in NAMES[dialect]:
                raise Stop(Reason.FUNCTION)


def check_made(tree: exp.Expr) -> None:
    """Stops series and repetitions beyond the caps.  Seen: `repeat` and `range` ignore interrupts for seconds."""
    made = 1
    for node in tree.walk():
        if isinstance(node, _SERIES) or _is_named(node, {"range", "generate_series"}):
            made *= max(1, _series_rows(node))
        elif isinstance(node, _GROWING) or _is_named(node, _GROWING_NAMES):
            _check_growth(node)
    if made > MAX_MADE_ROWS:
        raise Stop(Reason.RESOURCE)


def _is_named(node: exp.Expr, names: set[str]) -> bool:
    return isinstance(node, exp.Anonymous) and spelled(node) in names


def _series_rows(node: exp.Expr) -> int:
    """How many rows a series of literals makes; 1 where the ends are no literals and only the engine can tell."""
    numbers = [abs(int(n.name)) for n in node.find_all(exp.Literal) if not n.is_string and n.name.isdigit()]
    rows = max(numbers, default=1)
    if len(numbers) >= 2 and isinstance(node, _SERIES):
        rows = _between(node, rows)
    if rows > MAX_SERIES_ROWS:
        raise Stop(Reason.RESOURCE)
    return rows


def _between(node: exp.Expr, otherwise: int) -> int:
    start, end, step = (_whole(node.args.get(name)) for name in ("start", "end", "step"))
    if start is None or end is None:
        return otherwise
    return math.ceil((abs(end - start) + 1) / abs(step or 1))


def _whole(node: exp.Expr | None) -> int | None:
    if isinstance(node, exp.Neg):
        inner = _whole(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    return None


def _check_growth(node: exp.Expr) -> None:
    for literal in node.find_all(exp.Literal):
        if literal.is_string and _WIDE.search(literal.name):
            raise Stop(Reason.RESOURCE)
        if not literal.is_string and _too_long(literal.name):
            raise Stop(Reason.RESOURCE)


def _too_long(number: str) -> bool:
    try:
        return float(number) > MAX_LENGTH
    except ValueError:
        return True

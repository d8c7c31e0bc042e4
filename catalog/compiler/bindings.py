"""Literals of a question as named parameters: no value ever becomes part of the SQL text."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from sqlglot import exp

from catalog.query import Parameter
from catalog.types import Scalar


class Binder(Protocol):
    """Turns a value into SQL."""

    def bind(self, value: Scalar) -> exp.Expr:
        """What stands for the value."""


class Literals:
    """Writes the catalog author's own values as text, where a query has no parameters."""

    def bind(self, value: Scalar) -> exp.Expr:
        """The value as a literal of its type."""
        if isinstance(value, date):
            kind = "TIMESTAMP" if isinstance(value, datetime) else "DATE"
            return exp.Cast(this=exp.Literal.string(value.isoformat()), to=exp.DataType.build(kind))
        return exp.convert(value)


class Bindings:
    """Hands out `p1`, `p2` … in the order of use."""

    def __init__(self) -> None:
        self._held: list[Parameter] = []

    def bind(self, value: Scalar) -> exp.Placeholder:
        """A placeholder that stands for the value."""
        name = f"p{len(self._held) + 1}"
        self._held.append(Parameter(name=name, value=value))
        return exp.Placeholder(this=name)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All values so far."""
        return tuple(self._held)

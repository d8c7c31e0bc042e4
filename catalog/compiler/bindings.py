"""Literals of a question as named parameters: no value ever becomes part of the SQL text."""

from __future__ import annotations

from sqlglot import exp

from catalog.query import Parameter
from catalog.types import Scalar


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

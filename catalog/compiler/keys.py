"""Keys of one column and of several."""

from __future__ import annotations

from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import Dimension, Entity


def only_column(part: Dimension | Entity) -> str:
    """The one expression behind a dimension or a key; a key of several columns cannot be one value of a row."""
    if isinstance(part, Entity) and part.further:
        message = f"{part.name} is a key of {len(part.columns())} columns; use one of its dimensions instead."
        raise stop(IssueCode.UNSUPPORTED, message, subject=part.name)
    return part.expr

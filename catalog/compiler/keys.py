"""Keys of one column and of several."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from catalog.compiler.sql import named
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.types import Dimension, Entity, SemanticModel

_ROW = "row_key"


def only_column(part: Dimension | Entity) -> str:
    """The one expression behind a dimension or a key; a key of several columns cannot be one value of a row."""
    if isinstance(part, Entity) and part.further:
        message = f"{part.name} is a key of {len(part.columns())} columns; use one of its dimensions instead."
        raise stop(IssueCode.UNSUPPORTED, message, subject=part.name)
    return part.expr


def row_keys(model: SemanticModel, own: Callable[[str], exp.Expr]) -> list[exp.Alias]:
    """The columns that tell one row of the model from another; none where the catalog names no such key."""
    key = model.primary_entity()
    names = key.columns() if key else ()
    return [named(own(c), f"{_ROW}_{i}" if i else _ROW) for i, c in enumerate(names)]

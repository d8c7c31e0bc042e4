"""The shape of a warehouse as the guard sees it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a warehouse table or of a result: name and engine type."""

    name: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSchema:
    """A warehouse table with its columns in order; `name` is `schema.table`."""

    name: str
    columns: tuple[Column, ...]

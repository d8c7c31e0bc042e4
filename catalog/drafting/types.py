"""What a warehouse says about itself, and what is drafted from it: names, types, constraints, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.types import CatalogSnapshot


class ColumnKind(StrEnum):
    """What a column's engine type holds, as far as a draft needs to know."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIME = "time"
    UUID = "uuid"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnDescription:
    """A column as the engine describes it.

    `type` is the engine's own name.  `values` are the members of an enumeration, in its order.
    `written` is the name as people write it, where the engine has folded its case.
    """

    name: str
    type: str
    nullable: bool = True
    comment: str = ""
    values: tuple[str, ...] = ()
    written: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """Columns whose values are those of a key of another table, pair by pair.

    `enforced` is false where the engine does not vouch for rows that were there before; `observed` where no
    constraint says so, but each value was found to be one of the key.
    """

    columns: tuple[str, ...]
    schema: str
    table: str
    referenced: tuple[str, ...]
    enforced: bool = True
    observed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDescription:
    """A table or view with its columns in order and its constraints; `unique_keys` are those beside the primary.

    `key_observed`: the primary key is no constraint, but was found to tell all rows apart.
    """

    schema: str
    name: str
    columns: tuple[ColumnDescription, ...]
    comment: str = ""
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    is_view: bool = False
    key_observed: bool = False
    written: str = ""

    @property
    def qualified(self) -> str:
        """`schema.table`."""
        return f"{self.schema}.{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WarehouseDescription:
    """All tables of a warehouse, in any order; `observed`: keys were looked up in the data as well."""

    name: str
    dialect: str
    tables: tuple[TableDescription, ...]
    observed: bool = False


class SuggestionKind(StrEnum):
    """What an owner is asked to decide."""

    JOIN = "join"
    BRIDGE = "bridge"
    TIME = "time"
    BALANCE = "balance"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Something that a draft does not decide: about which model, in a sentence, and the YAML that accepts it."""

    kind: SuggestionKind
    model: str
    text: str
    accept: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A catalog that nobody has reviewed, and what its owner has to decide, in the order of the models."""

    snapshot: CatalogSnapshot
    suggestions: tuple[Suggestion, ...]

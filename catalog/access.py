"""What one principal may see: the value every room filters by before anything else.

An `AccessScope` is made by dataagent/policy and only ever narrowed afterwards.
What it does not name does not exist for the principal (deny by default).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.types import Scalar


class MaskKind(StrEnum):
    """How a masked column's value is replaced, below the query."""

    NULL = "null"
    HASH = "hash"
    PARTIAL = "partial"
    BUCKET = "bucket"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask:
    """A mask for one column.  `argument` is kept characters, bucket width or the constant."""

    column: str
    kind: MaskKind
    argument: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Rows of one table that may be seen.

    `predicate` is SQL over the table's own columns, every table in it fully
    qualified; `:name` placeholders are principal attributes, bound as parameters.
    `label` is what a person reads on the answer ("region is EMEA").
    """

    id: str
    predicate: str
    label: str
    parameters: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimumGroup:
    """Columns whose values are seen only where enough rows, or enough different `of`, share all of them."""

    columns: tuple[str, ...]
    at_least: int
    of: tuple[str, ...] = ()

    def label(self) -> str:
        """What a person reads on the answer."""
        shared = (
            f"at least {self.at_least} share them" if len(self.columns) > 1 else f"at least {self.at_least} share it"
        )
        return f"{' with '.join(self.columns)} only where {shared}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAccess:
    """A granted table: qualified name, the permitted columns, filter, masks and the smallest groups to be seen."""

    table: str
    columns: frozenset[str]
    row_filter: RowFilter | None = None
    masks: tuple[Mask, ...] = ()
    minimum_group: MinimumGroup | None = None

    def limits(self) -> tuple[str, ...]:
        """What narrows the rows and groups that are seen, as a person reads it."""
        rows = (self.row_filter.label,) if self.row_filter is not None else ()
        return (*rows, self.minimum_group.label()) if self.minimum_group is not None else rows


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessScope:
    """One principal's view of one workspace under one policy version.

    `metrics` are the metric names that may be used.  `announced` ones may not, but
    policy denies them by name, so a refusal may name them too; every other metric
    looks as if it did not exist.  `value_limits` restricts the members of a dimension
    that may be named (absent: whatever the guarded warehouse returns).
    `without_warehouse`: there are no tables to grant (a vocabulary alone), so
    dimensions are not judged by them; nothing can be executed under it.
    `engine_role` is the role that a PostgreSQL warehouse takes for each query, so that its own grants and row
    security hold beneath these; empty: the product's login reads by itself.
    `digest` identifies the scope in cache keys and manifests.
    """

    workspace: str
    principal: str
    policy_version: str
    digest: str
    tables: tuple[TableAccess, ...] = ()
    metrics: frozenset[str] = frozenset()
    announced: frozenset[str] = frozenset()
    value_limits: tuple[tuple[str, frozenset[str]], ...] = ()
    without_warehouse: bool = False
    engine_role: str = ""

    def judged_by_tables(self) -> bool:
        """Whether dimensions are judged by the granted tables; where tables are granted they always are."""
        return bool(self.tables) or not self.without_warehouse

    def table(self, name: str) -> TableAccess | None:
        """The access to `name` (qualified, exact), or None when it is not granted."""
        return next((t for t in self.tables if t.table == name), None)

    def may_use_metric(self, name: str) -> bool:
        """Whether the metric may be named and computed."""
        return name in self.metrics

    def may_name_value(self, dimension: str, value: str) -> bool:
        """Whether `value` of `dimension` may be bound; hidden is the same as unknown."""
        limits = dict(self.value_limits)
        return dimension not in limits or value in limits[dimension]

"""What words can mean: the term and value index, always through an AccessScope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class TermKind(StrEnum):
    """What a term names."""

    METRIC = "metric"
    DIMENSION = "dimension"
    ENTITY = "entity"
    VALUE = "value"
    AMBIGUOUS = "ambiguous"
    ADJECTIVE = "adjective"
    EVENT = "event"


class TermSource(StrEnum):
    """Why a surface names its target, strongest first."""

    NAME = "name"
    LABEL = "label"
    SYNONYM = "synonym"
    INFLECTION = "inflection"
    VALUE = "value"
    VALUE_SYNONYM = "value_synonym"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A normalised surface and what it names.

    `target` is the catalog name; for VALUE the dimension.  `values` are the members
    as stored (several where case and accent variants fold together), empty otherwise.
    """

    surface: str
    kind: TermKind
    target: str
    source: TermSource
    values: tuple[str, ...] = ()


class TermIndex(Protocol):
    """Looks words up.  Holds only what one scope may see."""

    @property
    def max_words(self) -> int:
        """The longest surface, in words."""

    def lookup(self, surface: str) -> tuple[Term, ...]:
        """All terms for a normalised surface (lower case, single spaces), strongest source first."""

    def near(self, surface: str, limit: int = 4) -> tuple[Term, ...]:
        """Terms that look alike, for suggestions only; never to bind silently."""

    def vocabulary(self) -> Mapping[str, int]:
        """Single words known to the index with how many terms use them, for typo candidates."""

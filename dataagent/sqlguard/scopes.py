"""What a place in a query can name: its sources and its own aliases, innermost first."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The columns of a sub-query or CTE.

    `names` is None where only the engine knows them.  `shifted` says that a star
    in it skipped hidden columns, so that positions differ from the table's own.
    """

    names: frozenset[str] | None
    shifted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Something in FROM: its name, its columns, and the base table behind an unaliased reference."""

    alias: str | None
    output: Output
    base: tuple[str, str] | None = None

    def has(self, key: str) -> bool:
        """Whether a column of that name may be in it."""
        return self.output.names is None or key in self.output.names


@dataclass(slots=True)
class Env:
    """One level of a query.  `names` are select aliases and lambda variables."""

    parent: Env | None = None
    sources: list[Source] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def sees(self, key: str) -> bool:
        """Whether a bare name can stand for a column, an alias or a whole row here."""
        here = key in self.names or any(s.has(key) or s.alias == key for s in self.sources)
        return here or (self.parent is not None and self.parent.sees(key))

    def sees_column(self, key: str) -> bool:
        """Whether a bare name can stand for a column or an alias here."""
        here = key in self.names or any(s.has(key) for s in self.sources)
        return here or (self.parent is not None and self.parent.sees_column(key))

    def knows_column(self, key: str) -> bool:
        """Whether a bare name surely is a column or an alias here, whatever sources of unknown columns hold."""
        here = key in self.names or any(key in (s.output.names or ()) for s in self.sources)
        return here or (self.parent is not None and self.parent.knows_column(key))

    def source(self, alias: str) -> Source | None:
        """The innermost source of that name."""
        found = next((s for s in self.sources if s.alias == alias), None)
        return found if found is not None or self.parent is None else self.parent.source(alias)

    def base(self, key: tuple[str, str]) -> Source | None:
        """The innermost unaliased reference to that base table."""
        found = next((s for s in self.sources if s.base == key), None)
        return found if found is not None or self.parent is None else self.parent.base(key)


def union_of(sources: list[Source]) -> Output:
    """All columns of several sources together: what a star stands for."""
    if any(s.output.names is None for s in sources):
        return Output(names=None, shifted=any(s.output.shifted for s in sources))
    names = frozenset(name for s in sources for name in s.output.names or ())
    return Output(names=names, shifted=any(s.output.shifted for s in sources))

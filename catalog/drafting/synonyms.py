"""Other words for what is drafted, by rules of names alone.  A word that leads to several things is asked about."""

from __future__ import annotations

from catalog.drafting.conventions import Role, role_of
from catalog.drafting.names import several, spoken
from catalog.drafting.plan import PlannedColumn, PlannedTable
from catalog.types import TimeGranularity

_NAME = "name"
_MEASURED = {Role.AMOUNT, Role.AVERAGE_ONLY, Role.BALANCE, Role.NUMBER}
_WEIGHTS = {("count",), ("cnt",), ("quantity",), ("qty",), ("number",), ("num",), ("times",)}


def column_synonyms(table: PlannedTable, column: PlannedColumn, said: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a column without and with those of its table, and with or without the word "name".

    `said` are the words of its dimension.  A thing with a key has words of its own, which its
    name does not take; and no column takes those of another one.
    """
    bare = column.words
    taken = {c.words for c in table.columns if c is not column}
    named = bare[:-1] if len(bare) > 1 and bare[-1] == _NAME else ()
    named = () if table.key and named == table.thing else named
    longer = () if bare[-1:] == (_NAME,) or role_of(bare, column.kind) is not Role.CATEGORY else (*bare, _NAME)
    begins = bare[: len(table.thing)] == table.thing
    owned = () if begins else (*table.thing, *bare)
    short = bare if len("".join(bare)) > 2 else ()
    rest = bare[len(table.thing) :] if begins and role_of(bare, column.kind) in _MEASURED else ()
    found = (w for w in (short, owned, named, longer, rest) if w and w != said and w not in taken)
    return tuple(dict.fromkeys(map(spoken, found)))


def number_synonyms(table: PlannedTable, aggregation: str, bare: tuple[str, ...], said: str) -> tuple[str, ...]:
    """ "average rating", "average restaurant rating", "average rating of restaurants" for a column `rating`."""
    short = f"{aggregation} {spoken(bare)}"
    owned = bare if bare[: len(table.thing)] == table.thing else (*table.thing, *bare)
    things = several(table.thing)
    counted = _counted(bare, table.thing)
    of_counted = (f"{aggregation} {counted}", f"{aggregation} number of {counted}") if counted else ()
    in_all = (counted, f"number of {counted}") if counted and aggregation == "total" else ()
    found = (
        short,
        f"{aggregation} {spoken(owned)}",
        f"{short} of {things}",
        f"{short} in {things}",
        *of_counted,
        *in_all,
    )
    return tuple(w for w in dict.fromkeys(found) if w != said.lower())


def _counted(words: tuple[str, ...], thing: tuple[str, ...]) -> str:
    """What a column of numbers counts by its name, several of them: "citations" for `citation_count`; "" for others."""
    bare = words[len(thing) :] if words[: len(thing)] == thing else words
    for counting in _COUNTING:
        if bare[-1:] == (counting,) and len(bare) > 1:
            return several(bare[:-1])
        if bare[:1] == (counting,) and len(bare) > 1:
            return several(bare[1:])
    return ""


_COUNTING = ("count", "cnt")


def is_one_thing(table: PlannedTable) -> bool:
    """Whether a row stands for one thing of its own, to judge by key and names.

    Without a key, a row has to name its thing and nothing else by an id, or it may be one of a
    pair; and with a number of times on each row, rows are no count.  Such rows are called rows.
    """
    if table.key:
        return True
    own = {("id",), (*table.thing, "id"), (f"{table.thing[-1][0]}id",)}
    naming = own | {(*before, word) for before in ((), table.thing) for word in ("name", "title", "code")}
    named = any(c.words in naming for c in table.columns)
    return named and not any(_is_of_others(c, table.thing, own) for c in table.columns)


def _is_of_others(column: PlannedColumn, thing: tuple[str, ...], own: set[tuple[str, ...]]) -> bool:
    """Whether the column names another thing by its id, or says how often the row counts."""
    words = column.words
    weighs = words[-1:] in _WEIGHTS and words[:-1] in {(), thing}
    return weighs or (role_of(words, column.kind) is Role.IDENTIFIER and words not in own)


def row_synonyms(table: PlannedTable) -> tuple[str, ...]:
    """ "restaurants" for the rows of a table without a key, where a row is one restaurant and no period."""
    period = table.thing[-1] in {*TimeGranularity, "date", "time"}
    return () if table.key or period or not is_one_thing(table) else (several(table.thing),)


def row_caveats(table: PlannedTable) -> tuple[str, ...]:
    """What to be careful about where rows are counted."""
    if table.key:
        return ()
    return (f"{table.table.qualified} declares no key: each {spoken(table.thing)} that has two rows counts twice.",)

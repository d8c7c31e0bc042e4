"""Other words for what is drafted, by rules of names alone.  Where a word leads to several things, it is asked about."""

from __future__ import annotations

from catalog.drafting.names import several, spoken
from catalog.drafting.plan import PlannedTable

_NAME = "name"


def column_synonyms(table: PlannedTable, bare: tuple[str, ...], said: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a column without those of its table, and what a `…_name` names.

    `bare` are the column's own words, `said` those of its dimension.  A thing with a key has
    words of its own, which its name does not take.
    """
    named = bare[:-1] if len(bare) > 1 and bare[-1] == _NAME else ()
    taken = {c.words for c in table.columns}
    own = bool(table.key) and named == table.thing
    longer = () if named or (*bare, _NAME) in taken else (*bare, _NAME)
    found = (bare if len("".join(bare)) > 2 else (), () if named in taken or own else named, longer)
    return tuple(dict.fromkeys(spoken(words) for words in found if words and words != said))


def number_synonyms(table: PlannedTable, aggregation: str, bare: tuple[str, ...]) -> tuple[str, ...]:
    """ "average rating", "average rating of restaurants" for the average of a column that is called `rating`."""
    short = f"{aggregation} {spoken(bare)}"
    things = several(table.thing)
    return (short, f"{short} of {things}", f"{short} in {things}")


def row_synonyms(table: PlannedTable) -> tuple[str, ...]:
    """ "restaurants" for the rows of a table without a key, which is no thing of its own."""
    return () if table.key else (several(table.thing),)


def row_caveats(table: PlannedTable) -> tuple[str, ...]:
    """What to be careful about where rows are counted."""
    if table.key:
        return ()
    return (f"{table.table.qualified} declares no key: a {spoken(table.thing)} that has two rows counts twice.",)

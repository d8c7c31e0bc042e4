"""The place of each row, by any value of the result."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from catalog.calculations import Derived, Direction, Rank, RankRule
from catalog.compiler.calculations.columns import derived_column
from catalog.compiler.calculations.lining import Value
from catalog.compiler.calculations.numbers import is_not_null, when
from catalog.compiler.calculations.setting import Setting
from catalog.compiler.sql import column
from catalog.compiler.stop import stop
from catalog.issues import IssueCode
from catalog.query import ResultColumn

_FUNCTIONS = {RankRule.SHARED: exp.Rank, RankRule.DENSE: exp.DenseRank, RankRule.UNIQUE: exp.RowNumber}
_NOTES = {
    RankRule.SHARED: "Rows that tie share a rank, and the next rank is left out.",
    RankRule.DENSE: "Rows that tie share a rank.",
    RankRule.UNIQUE: "Rows that tie are ranked in the order of their groups.",
}


def rank(setting: Setting, asked: Rank, known: Sequence[ResultColumn], table: str) -> tuple[Value, str]:
    """The rank by one of the `known` columns of `table`, with what is to be said about ties."""
    of = next((c for c in known if c.name == asked.by), None)
    if of is None:
        raise stop(IssueCode.UNKNOWN_METRIC, f"The result has no {asked.by} to rank by.", subject=asked.by)
    within = setting.within(asked.within, "A rank within groups")
    value = column(table, asked.by)
    keys = [exp.Ordered(this=value, desc=asked.direction is Direction.DESC, nulls_first=False)]
    if asked.ties is RankRule.UNIQUE:
        keys.extend(exp.Ordered(this=column(table, a), nulls_first=False) for a in setting.aliases)
    place = exp.Window(
        this=_FUNCTIONS[asked.ties](),
        partition_by=[column(table, a) for a in within] or None,
        order=exp.Order(expressions=keys),
    )
    return Value(column=derived_column(of, Derived.RANK), value=when(is_not_null(value), place)), _NOTES[asked.ties]

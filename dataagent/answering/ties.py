"""What ties with the last of the first rows: shown beside a single first, told of beside several.

Which of those that tie come first is decided by the order of their groups, so that it never depends on chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catalog.query import ColumnRole, QuerySpec, ResultColumn
from catalog.types import Scalar
from dataagent.answering.numerals import member_text

Row = tuple[Scalar, ...]
_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The rows that are shown, those left out that tie with the last of them, and whether there may be more of them."""

    rows: tuple[Row, ...]
    left: tuple[Row, ...] = ()
    more: bool = False


def ranked_rows(rows: tuple[Row, ...], columns: Sequence[ResultColumn], spec: QuerySpec) -> Ranked:
    """The first rows of what was read, and what ties.  All that share a single first place are shown."""
    if not spec.peek or spec.limit is None or len(rows) <= spec.limit:
        return Ranked(rows=rows)
    shown, beyond = rows[: spec.limit], rows[spec.limit :]
    names = [c.name for c in columns]
    keys = [names.index(o.by) for o in spec.order_by if o.by in names]
    last = [shown[-1][k] for k in keys]
    tied = [r for r in beyond if [r[k] for k in keys] == last] if keys and None not in last else []
    more = len(tied) == spec.peek
    if spec.limit == 1:
        return Ranked(rows=(*shown, *tied), more=more)
    return Ranked(rows=shown, left=tuple(tied), more=more)


def tie_text(ranked: Ranked, columns: Sequence[ResultColumn], limit: int) -> str:
    """What has to be said of rows that tie and are not shown; "" where there are none."""
    if limit == 1:
        return "More than are shown share the first place." if ranked.more else ""
    if not ranked.left:
        return ""
    groups = [(i, c) for i, c in enumerate(columns) if c.role is not ColumnRole.METRIC]
    names = [", ".join(member_text(row[i], c) for i, c in groups) for row in ranked.left]
    count = f"at least {len(names)}" if ranked.more else str(len(names))
    rest = "" if ranked.more or len(names) > _NAMED else f": {'; '.join(names)}"
    return f"The last place is shared with {count} more that {'is' if count == '1' else 'are'} not shown{rest}."

"""An answer as a document: what is shown, and what each part of it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from catalog.query import Default, ResultColumn
from catalog.types import Scalar
from dataagent.intent.types import Binding, Decision, Limitation, Option


class ChartKind(StrEnum):
    """Marks chosen by rule."""

    LINE = "line"
    BAR = "bar"
    WATERFALL = "waterfall"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpec:
    """A chart over result columns by name: x, one or more y, an optional series column."""

    kind: ChartKind
    x: str = ""
    y: tuple[str, ...] = ()
    series: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRef:
    """A result cell: 0-based row, column name; `table` is "result" or "total" (one row)."""

    row: int
    column: str
    table: str = "result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One checkable sentence bound to cells or to a calculation over them.

    `calculation` is empty for a plain cell, else one of: difference, percent_change, share, each (two cells
    as they are), change (a value, an earlier one and the change between them), holds, all_hold, together, rows.
    """

    text: str
    value: str
    cells: tuple[CellRef, ...]
    calculation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataState:
    """How far a table's data reach: up to where they are complete (exclusive) and when they were loaded.

    `begins` is the first day that they hold.  `late_days` are days whose load has
    not arrived although it was due; they are provisional.
    """

    table: str
    complete_until: datetime | None
    loaded_at: datetime | None
    late_days: tuple[date, ...] = ()
    begins: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyState:
    """Whether a key on which a join relies tells the rows of its table apart.

    `repeated` is how many of its values stand in more than one row; None where that could not be found out.
    """

    table: str
    columns: tuple[str, ...]
    repeated: int | None


class CheckOutcome(StrEnum):
    """Outcome of one validation."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"


UNEVEN_DAYS = "uneven_days"
"""The check that notices a period with fewer loaded days than the one it is compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One validation of the result: its name, outcome and a sentence for people."""

    name: str
    outcome: CheckOutcome
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRef:
    """A piece of evidence as shown: title, version and where it points."""

    id: str
    title: str
    version: str
    pointer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordChoice:
    """Another meaning for the words question[start:end]: what they would stand for, and the question that says so."""

    start: int
    end: int
    label: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited:
    """A part of the plan that an earlier turn said: in words, that turn's question and run.

    `question` is the question without the part; "" where it cannot be left out.
    """

    label: str
    turn: str
    run_id: str
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Everything a page, the API and the command line show for one run.

    `rows` hold exact values in the order of `columns`; `total_row` is the recomputed
    whole in the same order (None under groupings), empty where there is none.  `sql` is the guarded text
    that ran ("" when nothing ran); `proposed_sql` is what was compiled.
    """

    question: str
    decision: Decision
    headline: str
    subline: str = ""
    restatement: str = ""
    columns: tuple[ResultColumn, ...] = ()
    rows: tuple[tuple[Scalar, ...], ...] = ()
    total_row: tuple[Scalar, ...] = ()
    truncated: bool = False
    chart: ChartSpec | None = None
    claims: tuple[Claim, ...] = ()
    defaults: tuple[Default, ...] = ()
    assumptions: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    certificate: tuple[Binding, ...] = ()
    sources: tuple[SourceRef, ...] = ()
    row_scope: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    data_states: tuple[DataState, ...] = ()
    sql: str = ""
    proposed_sql: str = ""
    prompt: str = ""
    options: tuple[Option, ...] = ()
    limitation: Limitation | None = None
    next_questions: tuple[str, ...] = ()
    choices: tuple[WordChoice, ...] = ()
    inherited: tuple[Inherited, ...] = ()

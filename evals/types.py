"""Golden cases, replies, grades and eval runs as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from catalog.types import Operator, Scalar, TimeGranularity
from dataagent.intent.types import Decision


class EvalOutcome(StrEnum):
    """How a case ended.  `WRONG` is silently wrong: its bar is zero.  `FAILED` broke off with an error."""

    RIGHT = "right"
    ASKED = "asked"
    ABSTAINED = "abstained"
    DENIED = "denied"
    WRONG = "wrong"
    FAILED = "failed"


class Stage(StrEnum):
    """Where on a question's path a case failed, in the order of the path."""

    INTENT = "intent"
    RETRIEVAL = "retrieval"
    TABLE_CHOICE = "table_choice"
    PLAN = "plan"
    SQL = "sql"
    POLICY = "policy"
    EXECUTION = "execution"
    VALIDATION = "validation"
    ANSWER = "answer"
    DELIVERY = "delivery"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A trusted query whose result is right.  Of several, any one counts."""

    sql: str
    dialect: str = "duckdb"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRule:
    """How two results are held against each other.

    `ordered` None: in order where the reference's last word is ORDER BY.
    """

    ordered: bool | None = None
    extra_columns: bool = True
    float_tolerance: float = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedFilter:
    """A filter that the plan must hold; values are compared as a set."""

    field: str
    op: Operator
    values: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedIntent:
    """The canonical intent, or the part of it that matters: None is not checked."""

    metrics: tuple[str, ...] | None = None
    dimensions: tuple[str, ...] | None = None
    filters: tuple[ExpectedFilter, ...] | None = None
    grain: TimeGranularity | None = None
    start: date | None = None
    end: date | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenCase:
    """A question with everything that a right answer to it must satisfy.

    `turns` are earlier questions of the same session; `accept` are further right
    decisions; `options` are catalog names that a clarification must offer.
    `caveats` and `assumptions` must appear as parts of the answer's sentences.
    """

    id: str
    question: str
    requester: str
    turns: tuple[str, ...] = ()
    today: date | None = None
    decision: Decision = Decision.ANSWER
    accept: tuple[Decision, ...] = ()
    intent: ExpectedIntent | None = None
    options: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    comparison: ComparisonRule = field(default_factory=ComparisonRule)
    metric_versions: tuple[tuple[str, int], ...] = ()
    required_tables: tuple[str, ...] = ()
    preferred_tables: tuple[str, ...] = ()
    prohibited_tables: tuple[str, ...] = ()
    required_sources: tuple[str, ...] = ()
    row_scope: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    owner: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A named set of cases that are asked in one workspace."""

    name: str
    workspace: str
    cases: tuple[GoldenCase, ...]
    owner: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRows:
    """A result to compare: column names and rows.  A float is approximate, all else is exact."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Scalar | float, ...], ...]
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedIntent:
    """The plan that the product ended with, as far as cases check it."""

    metrics: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    filters: tuple[ExpectedFilter, ...] = ()
    grain: TimeGranularity | None = None
    start: date | None = None
    end: date | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the product did with a case's question.

    `failed_at` and `reason` say where and why a run broke off.  `option_names` are
    the catalog names in the options of a clarification; `sources` the ids of the
    evidence that was used.
    """

    decision: Decision | None
    result: ResultRows = field(default_factory=lambda: ResultRows(columns=(), rows=()))
    intent: AskedIntent | None = None
    option_names: tuple[str, ...] = ()
    sql: str = ""
    tables: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    metric_versions: tuple[tuple[str, int], ...] = ()
    row_scope: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    headline: str = ""
    reason: str = ""
    failed_at: Stage | None = None
    run_id: str = ""
    receipt_digest: str = ""
    elapsed_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFault:
    """Why a reference query gave no result; a fault of the case, not of the product."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One graded case.  `stage` is None when it is right."""

    case_id: str
    question: str
    outcome: EvalOutcome
    stage: Stage | None
    detail: str
    tags: tuple[str, ...] = ()
    sql: str = ""
    run_id: str = ""
    receipt_digest: str = ""
    elapsed_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A share with its 95 % Wilson interval; all three between 0 and 1."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceSummary:
    """Counts of one slice; `right` is the share of right cases, `wrong` of silently wrong ones."""

    name: str
    cases: int
    counts: tuple[tuple[EvalOutcome, int], ...]
    right: Interval
    wrong: Interval

    def count(self, outcome: EvalOutcome) -> int:
        """How many cases ended so."""
        return dict(self.counts)[outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCell:
    """One cell of the matrix of cases by stages."""

    stage: Stage
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One case's row: stages before the failure passed, the failing one failed, later ones were not reached."""

    case_id: str
    question: str
    outcome: EvalOutcome
    cells: tuple[StageCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalReport:
    """A graded suite: everything, then by slice, and the matrix."""

    total: SliceSummary
    slices: tuple[SliceSummary, ...]
    matrix: tuple[MatrixRow, ...]


class EvalRunState(StrEnum):
    """States of an eval run.  `INTERRUPTED` is a running one whose process is gone."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteInfo:
    """A suite as listed: where it comes from, how many cases, and whether it can run here."""

    name: str
    description: str
    cases: int
    available: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRunView:
    """An eval run as any door shows it; `report` covers the cases that are done."""

    id: str
    suite: str
    state: EvalRunState
    reason: str
    started_by: str
    created_at: datetime
    finished_at: datetime | None
    total: int
    done: int
    results: tuple[CaseResult, ...]
    report: EvalReport

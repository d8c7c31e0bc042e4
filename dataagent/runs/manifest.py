"""The manifest: everything that could change a run's answer, by id, version and digest.  No result rows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataagent.runs import encoding
from dataagent.runs.types import StepKind

SCHEMA_VERSION: Literal["1"] = "1"


class Part(BaseModel):
    """A piece of the manifest: frozen, and nothing unknown is let in."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RunPart(Part):
    """Who asked what, when, and how it ended."""

    id: str
    session: str
    workspace: str
    asker: str
    roles: tuple[str, ...]
    door: str
    thread: str
    question: str
    today: date
    choice: int | None
    state: str
    reason: str
    attempts: int
    created_at: datetime
    finished_at: datetime


class IntentPart(Part):
    """What the question was taken to mean, word by word."""

    decision: str = ""
    plan: Any = None
    restatement: str = ""
    certificate: tuple[Any, ...] = ()
    options: tuple[str, ...] = ()
    limitation: str = ""


class VersionedPart(Part):
    """A catalog object or a card at one version."""

    name: str
    version: str
    digest: str


class CatalogPart(Part):
    """The frozen catalog that was used."""

    name: str = ""
    digest: str = ""
    metrics: tuple[VersionedPart, ...] = ()


class EvidencePart(Part):
    """One permitted candidate and what became of it.  Its text stays at its source."""

    id: str
    type: str
    claim: str
    authority: str
    title: str
    version: str
    digest: str
    pointer: str
    why: str
    relevance: float
    disposition: str
    reason: str


class PolicyPart(Part):
    """The decision, the policy version and what was put below the query."""

    effect: str = ""
    rule: str = ""
    reason: str = ""
    version: str = ""
    scope_digest: str = ""
    row_filters: tuple[Mapping[str, str], ...] = ()
    masked_columns: tuple[str, ...] = ()


class PlannerPart(Part):
    """What proposed the plan, with the versions of planner, model and prompts."""

    name: str = ""
    versions: Mapping[str, str] = Field(default_factory=dict)


class QueryPart(Part):
    """The query that was proposed and the one that ran."""

    proposed_sql: str = ""
    executed_sql: str = ""
    sql_digest: str = ""
    dialect: str = ""
    tables: tuple[str, ...] = ()
    engine: str = ""
    query_id: str = ""
    plan_digest: str = ""
    estimated_rows: int | None = None
    elapsed_ms: float = 0.0


class FurtherQueryPart(QueryPart):
    """Another query that the answer rests on, with its result by digest and count."""

    result_digest: str = ""
    rows: int = 0


class DataPart(Part):
    """How far a table's data reached."""

    table: str
    complete_until: datetime | None
    loaded_at: datetime | None
    late_days: tuple[date, ...] = ()


class ResultPart(Part):
    """The result by digest and count."""

    digest: str = ""
    rows: int = 0
    truncated: bool = False
    columns: tuple[str, ...] = ()
    answer_digest: str = ""


class CheckPart(Part):
    """One validation of the result."""

    name: str
    outcome: str


class ClaimPart(Part):
    """A claim by the cells that it rests on.  Text and value as salted digests."""

    cells: tuple[str, ...]
    calculation: str
    value_digest: str
    text_digest: str


class DefaultPart(Part):
    """Something that was decided for the person."""

    key: str
    value: str
    text: str


class MemoryPart(Part):
    """Memories that were read and written."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


class StepPart(Part):
    """A recorded step."""

    number: int
    kind: str
    attempt: int
    round_number: int
    elapsed_ms: float
    input_digest: str
    output_digest: str


class CostPart(Part):
    """What the run used.  `money` is in US dollars, exact."""

    queries: int = 0
    rows: int = 0
    model_calls: int = 0
    tokens: int = 0
    money: str = "0"


class Draft(Part):
    """What the answer machine rested on: the manifest without the run itself and its steps.

    `claims_salt` lets the asker, and nobody else, check values against their digests.
    """

    claims_salt: str
    intent: IntentPart = Field(default_factory=IntentPart)
    catalog: CatalogPart = Field(default_factory=CatalogPart)
    cards: tuple[VersionedPart, ...] = ()
    evidence: tuple[EvidencePart, ...] = ()
    withheld: int = 0
    policy: PolicyPart = Field(default_factory=PolicyPart)
    planner: PlannerPart = Field(default_factory=PlannerPart)
    query: QueryPart = Field(default_factory=QueryPart)
    further: tuple[FurtherQueryPart, ...] = ()
    data: tuple[DataPart, ...] = ()
    result: ResultPart = Field(default_factory=ResultPart)
    checks: tuple[CheckPart, ...] = ()
    claims: tuple[ClaimPart, ...] = ()
    defaults: tuple[DefaultPart, ...] = ()
    assumptions: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    memory: MemoryPart = Field(default_factory=MemoryPart)
    destination: str = "asker"
    costs: CostPart = Field(default_factory=CostPart)


class Manifest(Draft):
    """One run, complete.  `nonce` keeps anyone from guessing hidden parts out of the digest."""

    schema_version: Literal["1"] = SCHEMA_VERSION
    nonce: str
    run: RunPart
    steps: tuple[StepPart, ...] = ()
    timings_ms: Mapping[str, float] = Field(default_factory=dict)


def complete(draft: Draft, run: RunPart, steps: tuple[StepPart, ...], *, nonce: str) -> Manifest:
    """The manifest of a run that ends now."""
    timings: dict[str, float] = {}
    for step in steps:
        timings[step.kind] = round(timings.get(step.kind, 0.0) + step.elapsed_ms, 3)
    parts = {name: getattr(draft, name) for name in Draft.model_fields}
    queries = sum(1 for step in steps if step.kind == StepKind.EXECUTE)
    costs = draft.costs.model_copy(update={"queries": queries})
    return Manifest(**{**parts, "costs": costs}, nonce=nonce, run=run, steps=steps, timings_ms=timings)


def content(manifest: Manifest) -> str:
    """The manifest as canonical JSON text: what is stored and hashed."""
    return encoding.canonical(manifest.model_dump(mode="json")).decode("utf-8")


def read(text: str) -> Manifest:
    """The manifest of stored text.

    Raises: pydantic.ValidationError where it is not one.
    """
    return Manifest.model_validate_json(text)

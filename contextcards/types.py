"""What may be read: cards, facts, documents and the evidence assembled from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class SourceType(StrEnum):
    """Where a piece of evidence comes from."""

    METRIC_CONTRACT = "metric_contract"
    CARD = "card"
    DOCUMENT = "document"
    LINEAGE = "lineage"
    PIPELINE_CODE = "pipeline_code"
    OWNER_NOTE = "owner_note"
    QUERY_HISTORY = "query_history"
    LIVE_CHECK = "live_check"


class ClaimKind(StrEnum):
    """What kind of thing a source says; authority depends on it."""

    METRIC_DEFINITION = "metric_definition"
    TABLE_MEANING = "table_meaning"
    CODE_BEHAVIOUR = "code_behaviour"
    DATA_STATE = "data_state"
    EVENT = "event"
    CAVEAT = "caveat"


class Authority(StrEnum):
    """Authority classes, strongest first (see `AUTHORITY_ORDER`)."""

    CONTRACT = "contract"
    LIVE = "live"
    OWNER = "owner"
    CODE = "code"
    DOCUMENT = "document"
    HISTORY = "history"


AUTHORITY_ORDER: tuple[Authority, ...] = tuple(Authority)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One statement of a card with its provenance.

    `slot` is the card's field ("grain", "caveats"); `pointer` is file:line, a user
    or a check; `confidence` is 0 to 1.
    """

    slot: str
    text: str
    source: SourceType
    authority: Authority
    pointer: str
    observed_at: datetime
    confidence: float = 1.0


class ConflictOutcome(StrEnum):
    """What is done where two facts disagree.  They are never averaged."""

    RETAIN_BOTH = "retain_both"
    SUPERSEDE = "supersede"
    VERIFY_LIVE = "verify_live"
    CLARIFY = "clarify"
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two facts of one slot that disagree, both shown.  `kept` is the one that the card's slot follows."""

    slot: str
    outcome: ConflictOutcome
    reason: str
    kept: Fact
    other: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCard:
    """A table's card at one version: what it is for, its grain, its traps.

    `columns` are the columns that the pipeline's code puts out; `conflicts` are the
    disagreements among `facts` with their outcomes.
    """

    table: str
    version: int
    purpose: str
    grain: str
    keys: tuple[str, ...] = ()
    population: str = ""
    filters_upstream: str = ""
    deduplication: str = ""
    freshness: str = ""
    upstreams: tuple[str, ...] = ()
    downstreams: tuple[str, ...] = ()
    safe_joins: tuple[str, ...] = ()
    similar_tables: tuple[str, ...] = ()
    status: str = "canonical"
    owner: str = ""
    caveats: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardVersionNote:
    """One line of a card's history: who published the version, when and why."""

    version: int
    by: str
    at: datetime
    note: str
    digest: str
    current: bool


class ProposalState(StrEnum):
    """Life of a proposed edit."""

    OPEN = "open"
    PUBLISHED = "published"
    REJECTED = "rejected"


class DiffKind(StrEnum):
    """What became of one line."""

    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """One line side by side; an empty side means that the line is not there."""

    old: str
    new: str
    kind: DiffKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A proposed edit of one slot.  List slots hold one item a line.

    `base_version` is the version that the author saw; `published_version` is 0 until published.
    """

    id: int
    table: str
    slot: str
    base_version: int
    old_text: str
    new_text: str
    author: str
    state: ProposalState
    created_at: datetime
    reviewer: str = ""
    reason: str = ""
    published_version: int = 0


class CardError(Exception):
    """A refused card operation.  `code` is not_found, conflict or invalid_input; `message` may be shown."""

    def __init__(self, code: str, message: str, *, action: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.action = action


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk of a document."""

    document: str
    position: int
    text: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document with its audience and its effective period.

    `audience` are role names; empty means everyone in the workspace.
    """

    name: str
    title: str
    text: str
    owner: str
    claim: ClaimKind
    audience: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    effective_from: date | None = None
    effective_to: date | None = None
    superseded_by: str = ""
    version: int = 1
    digest: str = ""


class Disposition(StrEnum):
    """What became of a candidate, recorded in the manifest."""

    USED = "used"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One candidate for the answer.  Only permitted ones are ever built."""

    id: str
    type: SourceType
    claim: ClaimKind
    authority: Authority
    title: str
    text: str
    version: str
    digest: str
    pointer: str
    why: str
    relevance: float = 0.0
    effective_from: date | None = None
    effective_to: date | None = None
    disposition: Disposition = Disposition.USED
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceBundle:
    """The context manifest: everything permitted that was considered, in rank order.

    `withheld` is the number of candidates that policy removed; it is for the
    auditor's view only and is never shown to the asker.
    """

    considered: tuple[Evidence, ...]
    withheld: int = 0

    def used(self) -> tuple[Evidence, ...]:
        """The evidence that may be cited, strongest first."""
        return tuple(e for e in self.considered if e.disposition is Disposition.USED)

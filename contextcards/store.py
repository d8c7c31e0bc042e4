"""The only ORM code of this room; takes and returns types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import F, Max, Q, QuerySet
from pgvector.django import CosineDistance
from pydantic import TypeAdapter

from contextcards.digests import card_digest
from contextcards.models import CardProposal, CardVersion, DocumentVersion, StoredPassage
from contextcards.rank import Match
from contextcards.types import (
    CardVersionNote,
    ClaimKind,
    ContextCard,
    Document,
    Passage,
    Proposal,
    ProposalState,
)

_CARD = TypeAdapter(ContextCard)
MAX_PASSAGES = 200
MAX_WORDS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads documents: role names and granted tables.  Filtering happens in the database, before ranking."""

    roles: tuple[str, ...]
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPassage:
    """A passage of a permitted document with its match; `document` is the document's name."""

    document: str
    text: str
    digest: str
    match: Match


def current_cards(workspace_id: int) -> tuple[ContextCard, ...]:
    """The current card of every table, by table name."""
    rows = CardVersion.rows.of(workspace_id).filter(is_current=True).order_by("table")
    return tuple(_kept(workspace_id, pk, digest) for pk, digest in rows.values_list("pk", "digest"))


def card_at(workspace_id: int, table: str, version: int | None) -> ContextCard | None:
    """One version of a table's card (None: the current one), or None when there is none."""
    rows = CardVersion.rows.of(workspace_id).filter(table=table)
    row = rows.filter(is_current=True).first() if version is None else rows.filter(version=version).first()
    return None if row is None else _card(row)


def locked_card(workspace_id: int, table: str) -> ContextCard | None:
    """The current card, locked until the transaction ends, so that versions follow one another."""
    row = CardVersion.rows.of(workspace_id).filter(table=table, is_current=True).select_for_update().first()
    return None if row is None else _card(row)


def source_digest(workspace_id: int, table: str) -> str:
    """The digest of the sources that the table's last loaded version was made from; empty when never loaded."""
    rows = CardVersion.rows.of(workspace_id).filter(table=table).exclude(source_digest="")
    row = rows.order_by("-version").values_list("source_digest", flat=True).first()
    return str(row or "")


def history(workspace_id: int, table: str) -> tuple[CardVersionNote, ...]:
    """A card's versions, newest first."""
    rows = CardVersion.rows.of(workspace_id).filter(table=table).order_by("-version")
    return tuple(
        CardVersionNote(
            version=r.version, by=r.published_by, at=r.published_at, note=r.note, digest=r.digest, current=r.is_current
        )
        for r in rows
    )


def add_version(
    workspace_id: int, card: ContextCard, *, by: str, at: datetime, note: str, source: str = ""
) -> ContextCard:
    """The card as published: it gets the next number and becomes the current one."""
    rows = CardVersion.rows.of(workspace_id).filter(table=card.table)
    number = (rows.aggregate(last=Max("version"))["last"] or 0) + 1
    published = replace(card, version=number, digest=card_digest(card))
    rows.filter(is_current=True).update(is_current=False)
    CardVersion.rows.create(
        workspace_id=workspace_id,
        table=card.table,
        version=number,
        content=_CARD.dump_python(published, mode="json"),
        digest=published.digest,
        source_digest=source,
        published_by=by,
        published_at=at,
        note=note,
        is_current=True,
    )
    return published


def add_proposal(
    workspace_id: int, card: ContextCard, *, slot: str, old_text: str, new_text: str, by: str, at: datetime
) -> int:
    """The id of a new open proposal against the card's version."""
    row = CardProposal.rows.create(
        workspace_id=workspace_id,
        table=card.table,
        slot=slot,
        base_version=card.version,
        old_text=old_text,
        new_text=new_text,
        author=by,
        created_at=at,
    )
    return int(row.pk)


def proposal(workspace_id: int, proposal_id: int) -> Proposal | None:
    """The proposal, or None when the workspace has none with this id."""
    row = CardProposal.rows.of(workspace_id).filter(pk=proposal_id).first()
    return None if row is None else _proposal(row)


def proposals(workspace_id: int, tables: Sequence[str], state: ProposalState | None) -> tuple[Proposal, ...]:
    """Proposals on these tables, newest first; all states when `state` is None."""
    rows = CardProposal.rows.of(workspace_id).filter(table__in=list(tables)).order_by("-pk")
    return tuple(_proposal(r) for r in (rows if state is None else rows.filter(state=state.value)))


def decide_proposal(
    workspace_id: int,
    proposal_id: int,
    *,
    state: ProposalState,
    by: str,
    at: datetime,
    reason: str = "",
    published_version: int = 0,
) -> bool:
    """Whether the open proposal was moved to `state` by this call; False when someone else decided it."""
    rows = CardProposal.rows.of(workspace_id).filter(pk=proposal_id, state=ProposalState.OPEN.value)
    changed: int = rows.update(
        state=state.value, reviewer=by, reviewed_at=at, reason=reason, published_version=published_version
    )
    return changed == 1


def save_document(workspace_id: int, document: Document, *, at: datetime) -> bool:
    """Whether a new version was made; the same content makes none.

    It has the number that its owner gave it, or the next one where that is taken.
    """
    rows = DocumentVersion.rows.of(workspace_id).filter(name=document.name)
    if rows.filter(is_current=True, digest=document.digest).exists():
        return False
    number = max(document.version, (rows.aggregate(last=Max("version"))["last"] or 0) + 1)
    rows.filter(is_current=True).update(is_current=False)
    DocumentVersion.rows.create(
        workspace_id=workspace_id,
        version=number,
        is_current=True,
        loaded_at=at,
        claim=document.claim.value,
        audience=list(document.audience),
        tables=list(document.tables),
        **{name: getattr(document, name) for name in _PLAIN},
    )
    return True


_PLAIN = ("name", "title", "text", "owner", "effective_from", "effective_to", "superseded_by", "digest")


def save_passages(
    workspace_id: int, passages: Iterable[Passage], vectors: Sequence[Sequence[float]] | None, *, document: str
) -> None:
    """Keep the passages of the document's current version, with a vector each where there are vectors."""
    owner = DocumentVersion.rows.of(workspace_id).get(name=document, is_current=True)
    StoredPassage.rows.bulk_create(
        StoredPassage(
            workspace_id=workspace_id,
            document=owner,
            position=p.position,
            text=p.text,
            digest=p.digest,
            embedding=None if vectors is None else list(vectors[i]),
        )
        for i, p in enumerate(passages)
    )


def documents(workspace_id: int, reader: Reader) -> tuple[Document, ...]:
    """Current documents that the reader may see, by name."""
    return tuple(_document(row) for row in _permitted(workspace_id, reader).order_by("name"))


def hidden_matches(workspace_id: int, permitted: Sequence[Document], query: str) -> int:
    """How many current documents other than the permitted ones match the words of `query`."""
    rows = StoredPassage.rows.of(workspace_id).filter(document__is_current=True, words=_words(query))
    rows = rows.exclude(document__name__in=[d.name for d in permitted])
    return len(set(rows.values_list("document_id", flat=True)))


def passages(
    workspace_id: int, documents: Sequence[Document], query: str, vector: Sequence[float] | None
) -> tuple[FoundPassage, ...]:
    """Passages of these documents with their match to the query, best first, at most MAX_PASSAGES."""
    rows = StoredPassage.rows.of(workspace_id).filter(
        document__is_current=True, document__name__in=[d.name for d in documents]
    )
    rows = rows.annotate(rank=SearchRank(F("words"), _words(query)), name=F("document__name"))
    if vector is None:
        rows = rows.order_by("-rank", "name", "position").values("name", "text", "digest", "rank")
    else:
        rows = rows.annotate(distance=CosineDistance("embedding", list(vector)))
        rows = rows.order_by(F("distance") - F("rank"), "name", "position")
        rows = rows.values("name", "text", "digest", "rank", "distance")
    return tuple(_found(row) for row in rows[:MAX_PASSAGES])


def _found(row: dict[str, object]) -> FoundPassage:
    distance = row.get("distance")
    cosine = None if distance is None else 1.0 - float(str(distance))
    match = Match(words=float(str(row["rank"])), cosine=cosine)
    return FoundPassage(document=str(row["name"]), text=str(row["text"]), digest=str(row["digest"]), match=match)


def _words(query: str) -> SearchQuery:
    """Any of the query's words.  Only letters and digits get through, so that no text is search syntax."""
    words = dict.fromkeys(re.findall(r"[^\W_]+", query.lower()))
    return SearchQuery(" | ".join(list(words)[:MAX_WORDS]), config="english", search_type="raw")


def _permitted(workspace_id: int, reader: Reader) -> QuerySet[DocumentVersion]:
    """Documents for everyone or for one of the roles, about granted tables only."""
    audience = Q(audience=[]) | Q(audience__overlap=list(reader.roles))
    tables = Q(tables__contained_by=list(reader.tables))
    rows: QuerySet[DocumentVersion] = DocumentVersion.rows.of(workspace_id).filter(audience, tables, is_current=True)
    return rows


@lru_cache(maxsize=2000)
def _kept(workspace_id: int, pk: int, digest: str) -> ContextCard:
    """A version's card, read once in a process: versions never change."""
    return _card(CardVersion.rows.of(workspace_id).get(pk=pk, digest=digest))


def _card(row: CardVersion) -> ContextCard:
    return _CARD.validate_python(row.content)


def _proposal(row: CardProposal) -> Proposal:
    return Proposal(
        id=row.pk,
        table=row.table,
        slot=row.slot,
        base_version=row.base_version,
        old_text=row.old_text,
        new_text=row.new_text,
        author=row.author,
        state=ProposalState(row.state),
        created_at=row.created_at,
        reviewer=row.reviewer,
        reason=row.reason,
        published_version=row.published_version,
    )


def _document(row: DocumentVersion) -> Document:
    return Document(
        claim=ClaimKind(row.claim),
        audience=tuple(row.audience),
        tables=tuple(row.tables),
        version=row.version,
        **{name: getattr(row, name) for name in _PLAIN},
    )

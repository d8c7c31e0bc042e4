"""Loading a company's cards, documents and pipeline code from a folder."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from contextcards import store
from contextcards.chunk import passages_of
from contextcards.digests import facts_digest
from contextcards.extract.behaviour import Behaviour
from contextcards.extract.dbt import extract
from contextcards.extract.notes import facts_of_note
from contextcards.papers import document_of
from contextcards.reconcile import reconcile
from contextcards.service import embeddings
from contextcards.types import Authority, CardError, Document, Fact

LOADER = "loader"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """How many versions a load has made; zero each when nothing has changed."""

    cards: int
    documents: int


@transaction.atomic
def load_demo(workspace_id: int, folder: Path, *, schema: str = "warehouse") -> LoadReport:
    """Load cards/*.yaml, pipelines/ and docs/*.md of a folder; what has not changed makes no new version.

    A table gets a card where an owner's file is about it or where the pipeline makes it in `schema`.
    Raises: CardError invalid_input naming file and line.
    """
    now = timezone.now()
    return LoadReport(
        cards=_load_cards(workspace_id, folder, schema, now), documents=_load_documents(workspace_id, folder, now)
    )


def _load_cards(workspace_id: int, folder: Path, schema: str, now: datetime) -> int:
    facts: dict[str, list[Fact]] = defaultdict(list)
    for path, text in _texts(folder / "cards", "*.yaml").items():
        table, found = facts_of_note(f"cards/{path}", text, now)
        facts[table] += found
    behaviours: dict[str, Behaviour] = {}
    for one in extract(_project(folder), now, schema=schema):
        if one.table in facts or one.table.startswith(f"{schema}."):
            facts[one.table] += one.facts
            if one.behaviour is not None:
                behaviours[one.table] = one.behaviour
    made = [_load_card(workspace_id, t, tuple(facts[t]), behaviours.get(t), now) for t in sorted(facts)]
    return sum(made)


def _load_card(
    workspace_id: int, table: str, facts: tuple[Fact, ...], behaviour: Behaviour | None, now: datetime
) -> bool:
    """Whether a new version was made: only when the sources differ from those of the last load."""
    source = facts_digest(facts)
    if store.source_digest(workspace_id, table) == source:
        return False
    current = store.locked_card(workspace_id, table)
    edits = tuple(f for f in current.facts if f.pointer.startswith("proposal:")) if current else ()
    edited = {f.slot for f in edits}
    kept = tuple(f for f in facts if not (f.slot in edited and f.authority is Authority.OWNER))
    split = tuple(replace(f, text=line) for f in edits for line in (f.text.split("\n") if f.text else ()))
    note = "Loaded" if current is None else "A source has changed"
    store.add_version(
        workspace_id, reconcile(table, (*kept, *split), behaviour), by=LOADER, at=now, note=note, source=source
    )
    return True


def _load_documents(workspace_id: int, folder: Path, now: datetime) -> int:
    documents = [document_of(f"docs/{path}", text) for path, text in _texts(folder / "docs", "*.md").items()]
    return sum(_load_document(workspace_id, document, now) for document in documents)


def _load_document(workspace_id: int, document: Document, now: datetime) -> bool:
    if not store.save_document(workspace_id, document, at=now):
        return False
    passages = passages_of(document)
    vectors = embeddings.vectors([f"{document.title}. {p.text}" for p in passages])
    store.save_passages(workspace_id, passages, vectors, document=document.name)
    return True


def _project(folder: Path) -> dict[str, str]:
    """The pipeline project's SQL and YAML, by path from `folder`."""
    root = folder / "pipelines"
    found = _texts(root, "**/*.sql") | _texts(root, "**/*.yml") | _texts(root, "**/*.yaml")
    return {f"pipelines/{path}": text for path, text in found.items()}


def _texts(folder: Path, pattern: str) -> dict[str, str]:
    """Files by their path inside the folder, sorted.  Raises: CardError for a file that is not UTF-8."""
    texts: dict[str, str] = {}
    for path in sorted(folder.glob(pattern)):
        try:
            texts[path.relative_to(folder).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise CardError("invalid_input", f"{path.name}: this is not UTF-8 text.") from error
    return texts

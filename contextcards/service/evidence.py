"""The permitted evidence for one question."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

from catalog.access import AccessScope
from catalog.query import MetricIntent
from catalog.types import CatalogSnapshot
from contextcards import store
from contextcards.assemble import assemble
from contextcards.candidates import card_candidates, document_candidates
from contextcards.contracts import contract_evidence, event_evidence, metrics_of, tables_of
from contextcards.rank import Match
from contextcards.service import embeddings
from contextcards.service.cards import cards_near
from contextcards.types import EvidenceBundle


def evidence(
    workspace_id: int,
    roles: tuple[str, ...],
    question: str,
    *,
    intent: MetricIntent,
    snapshot: CatalogSnapshot,
    scope: AccessScope,
    today: date,
) -> EvidenceBundle:
    """The bundle for a meaning: contracts, cards, code facts, documents and events.

    Documents are filtered by role and table in the database before anything is
    ranked.  Their text is data and is carried as it stands.
    """
    metrics = metrics_of(intent, snapshot, scope)
    tables = tables_of(intent, metrics, snapshot, scope)
    reader = store.Reader(roles=roles, tables=tuple(t.table for t in scope.tables))
    query = " ".join((question, *(m.label for m in metrics)))
    found = store.documents(workspace_id, reader)
    matches: dict[str, list[tuple[str, Match]]] = defaultdict(list)
    for passage in store.passages(workspace_id, found, query, embeddings.vector(query) if found else None):
        matches[passage.document].append((passage.text, passage.match))
    candidates = (
        *(contract_evidence(m, snapshot, scope) for m in metrics),
        *card_candidates(cards_near(workspace_id, scope, tables), tables),
        *document_candidates(found, {name: tuple(items) for name, items in matches.items()}, tables),
        *event_evidence(intent, snapshot),
    )
    return assemble(candidates, today=today, withheld=store.hidden_matches(workspace_id, found, query))

"""What understanding looks up in a catalog, made before the first question."""

from __future__ import annotations

from catalog.access import AccessScope
from catalog.collector import paused_collector
from catalog.types import CatalogSnapshot
from dataagent.intent.eventverbs import ready_verbs
from dataagent.intent.partial import ready_names
from dataagent.intent.typos import ready_words
from dataagent.intent.view import ready_stems


@paused_collector()
def make_ready(snapshot: CatalogSnapshot, scope: AccessScope) -> None:
    """Makes the words that typos, suggestions and verbs are looked up in; a second time costs nothing."""
    ready_words(snapshot, scope.metrics)
    ready_names(snapshot)
    ready_stems(snapshot)
    ready_verbs(snapshot)

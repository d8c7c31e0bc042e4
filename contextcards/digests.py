"""SHA-256 digests of what this room keeps: equal content, equal digest."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

from contextcards.types import ContextCard, Document, Fact


def text_digest(*parts: str) -> str:
    """The SHA-256 of the parts, hex; parts are kept apart by a byte that text does not hold."""
    return hashlib.sha256("\x00".join(parts).encode("utf-8")).hexdigest()


def card_digest(card: ContextCard) -> str:
    """The digest of a card's content: its number and the moments of observation do not count."""
    plain = dataclasses.asdict(card)
    del plain["version"], plain["digest"]
    return text_digest(json.dumps(_without_moments(plain), sort_keys=True, default=str))


def facts_digest(facts: tuple[Fact, ...]) -> str:
    """The digest of extracted facts, moments aside: it changes only when a source changed."""
    plain = [_without_moments(dataclasses.asdict(fact)) for fact in facts]
    return text_digest(json.dumps(plain, sort_keys=True, default=str))


def document_digest(document: Document) -> str:
    """The digest of a document with its version, its audience and its period."""
    plain = dataclasses.asdict(document)
    del plain["digest"]
    return text_digest(json.dumps(plain, sort_keys=True, default=str))


def _without_moments(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_moments(item) for key, item in value.items() if key != "observed_at"}
    if isinstance(value, list | tuple):
        return [_without_moments(item) for item in value]
    return value

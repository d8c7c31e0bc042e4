"""Owners' own card files (YAML) → facts.  Each key is a slot of the card."""

from __future__ import annotations

from datetime import datetime

import yaml

from contextcards.extract.lined_yaml import load_lined
from contextcards.slots import LIST_SLOTS, TEXT_SLOTS
from contextcards.types import Authority, CardError, Fact, SourceType


def facts_of_note(file: str, text: str, observed_at: datetime) -> tuple[str, tuple[Fact, ...]]:
    """The table that a card file is about and the owner's facts in it, each with file and line.

    Raises: CardError invalid_input naming file and line where the file is not a card.
    """
    try:
        value, lines = load_lined(text)
    except yaml.YAMLError as error:
        raise CardError("invalid_input", f"{file}: this is no YAML ({error}).") from error
    if not isinstance(value, dict) or not isinstance(value.get("table"), str):
        raise CardError("invalid_input", f"{file}:1: a card names its table (table: schema.name).")
    facts: list[Fact] = []
    for slot, content in value.items():
        if slot == "table":
            continue
        if slot not in (*TEXT_SLOTS, *LIST_SLOTS):
            raise CardError("invalid_input", f"{file}:{lines[slot,]}: a card has no “{slot}”.")
        items = content if isinstance(content, list) else [content]
        for i, item in enumerate(items):
            line = lines.get((slot, i), lines[slot,])
            facts.append(_fact(slot, str(item).strip(), f"{file}:{line}", observed_at))
    return value["table"], tuple(facts)


def _fact(slot: str, text: str, pointer: str, at: datetime) -> Fact:
    return Fact(
        slot=slot,
        text=text,
        source=SourceType.OWNER_NOTE,
        authority=Authority.OWNER,
        pointer=pointer,
        observed_at=at,
    )

"""The slots of a card: which there are, who may edit them, how an edit is applied."""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher

from catalog.types import Status
from contextcards.types import ContextCard, DiffKind, DiffLine, Fact

TEXT_SLOTS = ("purpose", "grain", "population", "filters_upstream", "deduplication", "freshness", "status", "owner")
LIST_SLOTS = ("keys", "upstreams", "downstreams", "safe_joins", "similar_tables", "caveats", "columns")
SLOTS = (*TEXT_SLOTS, *LIST_SLOTS)
FROM_CODE = ("filters_upstream", "deduplication", "keys", "upstreams", "downstreams", "columns")
"""What the pipeline's code says about itself; people correct the code, not the card."""
EDITABLE = tuple(slot for slot in SLOTS if slot not in FROM_CODE)
MAX_CHARACTERS = 4000


def slot_text(card: ContextCard, slot: str) -> str:
    """The slot's text; a list slot has one item a line."""
    value: str | tuple[str, ...] = getattr(card, slot)
    return value if isinstance(value, str) else "\n".join(value)


def table_named(item: str) -> str:
    """The table that an item of a list of tables is about: `schema.name`, or `schema.name: why`."""
    return item.split(":", maxsplit=1)[0].strip()


def edit_problem(slot: str, text: str) -> str:
    """Why this edit cannot be taken, as a sentence; empty when it can."""
    if slot in FROM_CODE:
        return f"“{slot}” comes from the pipeline's code and changes with it."
    if slot not in EDITABLE:
        return f"A card has no “{slot}”."
    if len(text) > MAX_CHARACTERS:
        return f"The text is longer than {MAX_CHARACTERS} characters."
    if any(ord(c) < 32 and c not in "\n\t" for c in text):
        return "The text holds control characters."
    if slot == "status" and text not in set(Status):
        return f"A status is one of {', '.join(Status)}."
    return ""


def clean_text(text: str) -> str:
    """The text as kept: plain line ends, no blank lines, no space at line ends."""
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return "\n".join(line for line in lines if line.strip()).strip()


def with_slot(card: ContextCard, slot: str, text: str, fact: Fact) -> ContextCard:
    """The card with one slot replaced, and `fact` as the slot's only fact written by a person."""
    value: object = tuple(text.split("\n")) if slot in LIST_SLOTS and text else text
    if slot in LIST_SLOTS and not text:
        value = ()
    kept = tuple(f for f in card.facts if f.slot != slot or f.authority is not fact.authority)
    return replace(card, **{slot: value, "facts": (*kept, fact), "digest": ""})  # type: ignore[arg-type]


def diff_lines(old: str, new: str) -> tuple[DiffLine, ...]:
    """The two texts side by side, line by line."""
    left, right = old.splitlines(), new.splitlines()
    lines: list[DiffLine] = []
    for tag, a, b, c, d in SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [DiffLine(old=line, new=line, kind=DiffKind.SAME) for line in left[a:b]]
        else:
            lines += _changed(left[a:b], right[c:d])
    return tuple(lines)


def _changed(left: list[str], right: list[str]) -> list[DiffLine]:
    paired = min(len(left), len(right))
    lines = [DiffLine(old=o, new=n, kind=DiffKind.CHANGED) for o, n in zip(left, right, strict=False)]
    lines += [DiffLine(old=o, new="", kind=DiffKind.REMOVED) for o in left[paired:]]
    return lines + [DiffLine(old="", new=n, kind=DiffKind.ADDED) for n in right[paired:]]

"""The list under the question box."""

from __future__ import annotations

from dataclasses import dataclass

from dataagent.intent.completion import Completion, CompletionKind

_NAMES = {
    CompletionKind.METRIC: "metric",
    CompletionKind.DIMENSION: "dimension",
    CompletionKind.ENTITY: "thing",
    CompletionKind.TERM: "term",
    CompletionKind.EVENT: "event",
    CompletionKind.TIME: "time",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionItem:
    """One line of the list: its words, what they are, and the question they make."""

    words: str
    note: str
    question: str


def completion_items(found: tuple[Completion, ...]) -> tuple[CompletionItem, ...]:
    """The lines, in order."""
    return tuple(CompletionItem(words=c.words, note=_note(c), question=c.question) for c in found)


def _note(found: Completion) -> str:
    """A member is told by its dimension, another word by what it stands for, a name by its kind."""
    if found.kind is CompletionKind.VALUE:
        return found.detail
    return f"{_NAMES[found.kind]}: {found.detail}" if found.detail else _NAMES[found.kind]

"""How a question was read: its words with what each was bound to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent.answering.types import WordChoice
from dataagent.intent.types import Binding, BoundTo

KIND_WORDS = {
    BoundTo.METRIC: "metric",
    BoundTo.DIMENSION: "dimension",
    BoundTo.VALUE: "value",
    BoundTo.ENTITY: "entity",
    BoundTo.TIME: "time",
    BoundTo.NUMBER: "number",
    BoundTo.OPERATOR: "instruction",
    BoundTo.ADJECTIVE: "filter word",
    BoundTo.EVENT: "event",
    BoundTo.IGNORABLE: "no meaning here",
    BoundTo.UNBOUND: "not understood",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Another meaning of a word: its words, and the question that asks again with it."""

    label: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A stretch of the question.  `kind` is empty for the space between bound words.

    `title` says what it was bound to; `choices` are other meanings, each as a question to ask instead.  It
    `opens` where there is something to tell: words that mean nothing here only have a title.
    """

    text: str
    kind: str
    title: str
    choices: tuple[Choice, ...] = ()
    opens: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWord:
    """One line of the list: the word, what kind of thing it is, what it stands for and why."""

    text: str
    kind: str
    kind_words: str
    target: str
    note: str


def segments(question: str, certificate: Sequence[Binding], choices: Sequence[WordChoice] = ()) -> tuple[Segment, ...]:
    """The question from left to right; joined, the texts are the question again."""
    others: dict[tuple[int, int], list[Choice]] = {}
    for choice in choices:
        others.setdefault((choice.start, choice.end), []).append(Choice(label=choice.label, question=choice.question))
    parts: list[Segment] = []
    at = 0
    for binding in sorted(certificate, key=lambda b: (b.start, b.end)):
        if binding.start < at or binding.end <= binding.start or binding.end > len(question):
            continue
        if binding.start > at:
            parts.append(Segment(text=question[at : binding.start], kind="", title=""))
        text = question[binding.start : binding.end]
        found = tuple(others.get((binding.start, binding.end), ()))
        opens = binding.kind is not BoundTo.IGNORABLE
        parts.append(Segment(text=text, kind=binding.kind.value, title=_title(binding), choices=found, opens=opens))
        at = binding.end
    if at < len(question):
        parts.append(Segment(text=question[at:], kind="", title=""))
    return tuple(parts)


def read_words(certificate: Sequence[Binding]) -> tuple[ReadWord, ...]:
    """The same as a list, for those who read it and for screen readers."""
    return tuple(
        ReadWord(
            text=binding.text,
            kind=binding.kind.value,
            kind_words=KIND_WORDS[binding.kind],
            target=binding.target,
            note=binding.note,
        )
        for binding in sorted(certificate, key=lambda b: (b.start, b.end))
    )


def _title(binding: Binding) -> str:
    said = KIND_WORDS[binding.kind]
    target = f": {binding.target}" if binding.target else ""
    note = f" ({binding.note})" if binding.note else ""
    return f"{said}{target}{note}"

"""Plain reasons for stopping: which words were not understood, and what is near."""

from __future__ import annotations

from catalog.surfaces import normalise_surface
from catalog.terms import Term, TermKind
from dataagent.intent.candidate import Dead
from dataagent.intent.chart import Edge
from dataagent.intent.lexicon import GRAMMAR_WORDS
from dataagent.intent.normalise import Token
from dataagent.intent.timewords import may_be_time
from dataagent.intent.typefilter.pieces import Setting
from dataagent.intent.types import Limitation
from dataagent.intent.view import shown

_EDGES = frozenset(
    {"the", "a", "an", "of", "in", "for", "by", "per", "with", "and", "to", "our", "from", "on", "at", "?", ",", "."}
)


def unbound_phrases(question: str, tokens: tuple[Token, ...], left: tuple[int, ...]) -> tuple[str, ...]:
    """The words left over, joined where they stand together, as they were written."""
    runs: list[list[int]] = []
    for position in left:
        if runs and position == runs[-1][-1] + 1:
            runs[-1].append(position)
        else:
            runs.append([position])
    phrases: list[str] = []
    for run in runs:
        while run and tokens[run[0]].norm in _EDGES:
            run = run[1:]
        while run and tokens[run[-1]].norm in _EDGES:
            run = run[:-1]
        if run:
            phrases.append(question[tokens[run[0]].start : tokens[run[-1]].end])
    return tuple(phrases)


def limitation_for_unbound(
    question: str, tokens: tuple[Token, ...], left: tuple[int, ...], edges: tuple[Edge, ...], setting: Setting
) -> Limitation:
    """Which words could not be bound, with near terms; known words that could not be put together are not unknown."""
    known = {i for edge in edges if edge.cat not in _ANY_WORD for i in range(edge.start, edge.end)}
    strange = tuple(i for i in left if i not in known and not _known(tokens[i], setting))
    if not strange:
        return _not_together(unbound_phrases(question, tokens, left) or (question.strip(),))
    unknown = list(unbound_phrases(question, tokens, strange)) or [question.strip()]
    near = suggestions(unknown, setting)
    quoted = ", ".join(f"“{p}”" for p in unknown)
    message = f"I do not know {quoted}."
    if near:
        message += f" Did you mean {' or '.join(near)}?"
    code = "unknown_value" if _names_a_value(tokens, strange, setting) else "unknown_term"
    return Limitation(code=code, message=message, unbound=tuple(unknown), suggestions=near)


_ANY_WORD = frozenset({"VERB", "Verb"})
"""Categories that any word of the right ending gets."""


def _not_together(phrases: tuple[str, ...]) -> Limitation:
    quoted = ", ".join(f"“{p}”" for p in phrases)
    message = (
        f"I know the words, but cannot put them together with certainty: {quoted}. "
        "Say what to measure, and by what or for which period."
    )
    return Limitation(code="unsupported", message=message, unbound=phrases)


def _known(token: Token, setting: Setting) -> bool:
    """Whether the word alone is a name, part of one, or a word of the grammar."""
    word = token.norm
    if word in GRAMMAR_WORDS or may_be_time(word) or setting.index.lookup(word):
        return True
    return word in setting.index.vocabulary() or setting.index.in_member(word)


def _names_a_value(tokens: tuple[Token, ...], left: tuple[int, ...], setting: Setting) -> bool:
    """Whether the unknown word stands right after the name of a dimension ("brand Zorblax")."""
    before = left[0] - 1
    return before >= 0 and any(t.kind is TermKind.DIMENSION for t in setting.index.lookup(tokens[before].norm))


def suggestions(phrases: list[str], setting: Setting) -> tuple[str, ...]:
    """Near terms that the asker may see, as words."""
    found: dict[str, None] = {}
    for phrase in phrases[:3]:
        for term in setting.index.near(normalise_surface(phrase), 3):
            found.setdefault(_shown(term))
    said = {normalise_surface(p) for p in phrases}
    return tuple(f for f in found if normalise_surface(f) not in said)[:4]


def _shown(term: Term) -> str:
    return term.values[0] if term.kind is TermKind.VALUE and term.values else shown(term.target)


_MESSAGES = {
    "pii": "Personal data is not listed. Counts and groups without names can be shown.",
    "forecast": "That period lies in the future; no forecast is made.",
    "unsupported": "This cannot be answered with certainty",
    "contradiction": "Two parts of the question contradict each other.",
}


def limitation_for_dead(reason: Dead) -> Limitation:
    """Why the only readings of a fully understood question cannot be computed."""
    words = ", ".join(w for w in reason.words if w)
    unbound = reason.words if reason.code == "unknown_value" else ()
    return Limitation(code=reason.code, message=reason.message or _message(reason.code, words), unbound=unbound)


def _message(code: str, words: str) -> str:
    base = _MESSAGES.get(code, "This cannot be answered.")
    if code == "incompatible":
        return f"The rest of the question cannot be combined with: {words}."
    if code == "unsupported":
        return f"{base}: {words}." if words else f"{base}."
    return base

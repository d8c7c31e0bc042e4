"""The token ↔ plan-path map that covers the question."""

from __future__ import annotations

from dataagent.intent.candidate import Candidate
from dataagent.intent.chart import Edge
from dataagent.intent.normalise import Token
from dataagent.intent.parts import Mark
from dataagent.intent.types import Binding, BoundTo

_FIELD_OF = {
    BoundTo.METRIC: ("metrics", "having", "order", "transforms"),
    BoundTo.DIMENSION: ("dimensions", "filters", "time_dimension", "comparison", "entity", "transforms"),
    BoundTo.ENTITY: ("dimensions", "filters", "entity", "metrics"),
    BoundTo.VALUE: ("filters", "comparison", "transforms"),
    BoundTo.TIME: ("time_range", "grain", "comparison", "transforms"),
    BoundTo.EVENT: ("time_range",),
    BoundTo.NUMBER: ("having", "filters", "limit", "transforms"),
    BoundTo.ADJECTIVE: ("filters",),
}


def certificate_of(
    tokens: tuple[Token, ...], candidate: Candidate, question: str, fixes: dict[int, str]
) -> tuple[Binding, ...]:
    """One binding per mark, left to right; they cover every token exactly once."""
    found: list[Binding] = []
    for position, edge in enumerate(candidate.edges):
        fields = candidate.paths[position] if position < len(candidate.paths) else ()
        found.extend(_binding(tokens, mark, fields, question, fixes) for mark in _ordered(edge))
    return tuple(found)


def _ordered(edge: Edge) -> list[Mark]:
    return sorted(edge.marks, key=lambda m: m.start)


def _binding(
    tokens: tuple[Token, ...], mark: Mark, fields: tuple[str, ...], question: str, fixes: dict[int, str]
) -> Binding:
    start, end = tokens[mark.start].start, tokens[mark.end - 1].end
    paths: tuple[str, ...] = ()
    kind = mark.kind
    if kind is BoundTo.OPERATOR:
        paths = fields
        kind = BoundTo.OPERATOR if fields else BoundTo.IGNORABLE
    elif kind is not BoundTo.IGNORABLE:
        allowed = _FIELD_OF.get(kind, ())
        paths = tuple(f for f in fields if f in allowed) or fields
    mended = [i for i in range(mark.start, mark.end) if i in fixes]
    note = ", ".join(_mending(question[tokens[i].start : tokens[i].end], fixes[i]) for i in mended) or mark.note
    return Binding(
        start=start, end=end, text=question[start:end], kind=kind, target=mark.target, paths=paths, note=note
    )


def _mending(written: str, taken: str) -> str:
    cut_off = taken.startswith(written.lower().removesuffix("s"))
    return f"{'short for' if cut_off else 'typo of'} {taken}"


def partial_certificate(
    tokens: tuple[Token, ...], path: tuple[Edge, ...], left: tuple[int, ...], question: str
) -> tuple[Binding, ...]:
    """The best partial covering, with what stayed unbound."""
    found = [_binding(tokens, mark, (), question, {}) for edge in path for mark in edge.marks]
    for position in left:
        token = tokens[position]
        found.append(
            Binding(start=token.start, end=token.end, text=question[token.start : token.end], kind=BoundTo.UNBOUND)
        )
    return tuple(sorted(found, key=lambda b: b.start))

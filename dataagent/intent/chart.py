"""A bottom-up chart parser: active and passive edges, packed by span, category and meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from dataagent.intent.parts import Mark

Build = Callable[..., Any]
"""Takes the children's meanings (None for an absent optional one); None rejects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`cat` → `symbols`; `slots` says which argument of `build` each symbol fills."""

    cat: str
    symbols: tuple[str, ...]
    slots: tuple[int, ...]
    arity: int
    build: Build


@dataclass(frozen=True, slots=True)
class Edge:
    """A finished phrase: tokens [start, end) of a category, its meaning and its marks."""

    start: int
    end: int
    cat: str
    meaning: Any
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class _Active:
    rule: Rule
    dot: int
    start: int
    end: int
    children: tuple[Edge, ...]


def rules(cat: str, pattern: str, build: Build) -> tuple[Rule, ...]:
    """The rules of one pattern: symbols in a row, `X?` may be absent, `a/b` are alternatives."""
    items = pattern.split()
    made = []
    for chosen in product(*(_ways(item) for item in items)):
        kept = [(symbol, slot) for slot, symbol in enumerate(chosen) if symbol]
        made.append(
            Rule(
                cat=cat,
                symbols=tuple(symbol for symbol, _ in kept),
                slots=tuple(slot for _, slot in kept),
                arity=len(items),
                build=build,
            )
        )
    return tuple(made)


def _ways(item: str) -> tuple[str, ...]:
    names = tuple(item.rstrip("?").split("/"))
    return (*names, "") if item.endswith("?") else names


class Grammar:
    """Rules indexed by their first symbol, and what each category can grow into from its left end."""

    def __init__(self, all_rules: Iterable[Rule]) -> None:
        self.by_first: dict[str, list[Rule]] = {}
        for rule in all_rules:
            self.by_first.setdefault(rule.symbols[0], []).append(rule)
        self._begun: dict[str, frozenset[str]] = {}

    def begun_by(self, cat: str) -> frozenset[str]:
        """All categories of phrases that a phrase of this one can begin, itself among them."""
        known = self._begun.get(cat)
        if known is None:
            found, waiting = {cat}, [cat]
            while waiting:
                larger = {rule.cat for rule in self.by_first.get(waiting.pop(), ())} - found
                found |= larger
                waiting.extend(larger)
            known = self._begun[cat] = frozenset(found)
        return known


_NOTHING: frozenset[str] = frozenset()


class _Chart:
    """Phrases are waited for only where some lexical edge can begin one: nothing else would ever come."""

    def __init__(self, grammar: Grammar, lexical: tuple[Edge, ...], limit: int) -> None:
        self.grammar = grammar
        self.limit = limit
        lexical_at: dict[int, set[str]] = {}
        for edge in lexical:
            lexical_at.setdefault(edge.start, set()).add(edge.cat)
        self.possible = {at: _NOTHING.union(*map(grammar.begun_by, cats)) for at, cats in lexical_at.items()}
        self.done: dict[tuple[int, int, str, Any], Edge] = {}
        self.starting: dict[tuple[int, str], list[Edge]] = {}
        self.waiting: dict[tuple[int, str], list[_Active]] = {}
        self.agenda: list[Edge] = []

    def offer(self, edge: Edge) -> None:
        key = (edge.start, edge.end, edge.cat, edge.meaning)
        if key not in self.done and len(self.done) < self.limit:
            self.done[key] = edge
            self.agenda.append(edge)

    def run(self) -> None:
        while self.agenda:
            edge = self.agenda.pop()
            self.starting.setdefault((edge.start, edge.cat), []).append(edge)
            following = self.possible.get(edge.end, _NOTHING)
            for rule in self.grammar.by_first.get(edge.cat, ()):
                if len(rule.symbols) == 1 or rule.symbols[1] in following:
                    self.advance(_Active(rule, 0, edge.start, edge.start, ()), edge)
            for active in tuple(self.waiting.get((edge.start, edge.cat), ())):
                self.advance(active, edge)

    def advance(self, active: _Active, edge: Edge) -> None:
        children = (*active.children, edge)
        dot = active.dot + 1
        if dot == len(active.rule.symbols):
            self.complete(active.rule, active.start, edge.end, children)
            return
        symbol = active.rule.symbols[dot]
        if symbol not in self.possible.get(edge.end, _NOTHING):
            return
        moved = _Active(active.rule, dot, active.start, edge.end, children)
        self.waiting.setdefault((edge.end, symbol), []).append(moved)
        for following in tuple(self.starting.get((edge.end, symbol), ())):
            self.advance(moved, following)

    def complete(self, rule: Rule, start: int, end: int, children: tuple[Edge, ...]) -> None:
        arguments: list[Any] = [None] * rule.arity
        for slot, child in zip(rule.slots, children, strict=True):
            arguments[slot] = child.meaning
        meaning = rule.build(*arguments)
        if meaning is not None:
            marks = tuple(mark for child in children for mark in child.marks)
            self.offer(Edge(start, end, rule.cat, meaning, marks))


def parse(lexical: Iterable[Edge], grammar: Grammar, *, limit: int = 20_000) -> tuple[tuple[Edge, ...], bool]:
    """All finished phrases over the lexical edges, and whether the chart stayed under its limit."""
    edges = tuple(lexical)
    chart = _Chart(grammar, edges, limit)
    for edge in edges:
        chart.offer(edge)
    chart.run()
    return tuple(chart.done.values()), len(chart.done) < limit

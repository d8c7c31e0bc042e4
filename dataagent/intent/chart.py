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
    """Rules indexed by their first symbol."""

    def __init__(self, all_rules: Iterable[Rule]) -> None:
        self.by_first: dict[str, list[Rule]] = {}
        for rule in all_rules:
            self.by_first.setdefault(rule.symbols[0], []).append(rule)


class _Chart:
    def __init__(self, grammar: Grammar, limit: int) -> None:
        self.grammar = grammar
        self.limit = limit
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
            for rule in self.grammar.by_first.get(edge.cat, ()):
                self.advance(_Active(rule, 0, edge.start, edge.start, ()), edge)
            for active in tuple(self.waiting.get((edge.start, edge.cat), ())):
                self.advance(active, edge)

    def advance(self, active: _Active, edge: Edge) -> None:
        children = (*active.children, edge)
        dot = active.dot + 1
        if dot == len(active.rule.symbols):
            self.complete(active.rule, active.start, edge.end, children)
            return
        moved = _Active(active.rule, dot, active.start, edge.end, children)
        symbol = active.rule.symbols[dot]
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
    chart = _Chart(grammar, limit)
    for edge in lexical:
        chart.offer(edge)
    chart.run()
    return tuple(chart.done.values()), len(chart.done) < limit

"""A bottom-up chart parser: active and passive edges, packed by span, category and meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

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


class _Active(NamedTuple):
    rule: Rule
    start: int
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
        self.begun: dict[tuple[str, int], tuple[Rule, ...]] = {}

    def offer(self, edge: Edge) -> None:
        if len(self.done) >= self.limit:
            return
        if self.done.setdefault((edge.start, edge.end, edge.cat, edge.meaning), edge) is edge:
            self.agenda.append(edge)

    def run(self) -> None:
        while self.agenda:
            edge = self.agenda.pop()
            self.starting.setdefault((edge.start, edge.cat), []).append(edge)
            for rule in self.rules_begun(edge.cat, edge.end):
                self.advance(_Active(rule, edge.start, ()), edge)
            for active in tuple(self.waiting.get((edge.start, edge.cat), ())):
                self.advance(active, edge)

    def rules_begun(self, cat: str, end: int) -> tuple[Rule, ...]:
        """The rules that a phrase of the category begins and that can go on where it ends, in the grammar's order."""
        known = self.begun.get((cat, end))
        if known is None:
            following = self.possible.get(end, _NOTHING)
            rules = self.grammar.by_first.get(cat, ())
            known = tuple(r for r in rules if len(r.symbols) == 1 or r.symbols[1] in following)
            self.begun[cat, end] = known
        return known

    def advance(self, active: _Active, edge: Edge) -> None:
        rule, start, children = active
        children = (*children, edge)
        symbols, end = rule.symbols, edge.end
        if len(children) == len(symbols):
            self.complete(rule, start, end, children)
            return
        symbol = symbols[len(children)]
        if symbol not in self.possible.get(end, _NOTHING):
            return
        moved = _Active(rule, start, children)
        self.waiting.setdefault((end, symbol), []).append(moved)
        for following in tuple(self.starting.get((end, symbol), ())):
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

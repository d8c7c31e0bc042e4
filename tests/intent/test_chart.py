"""The chart finds every phrase of a grammar, though it waits only for what can begin where it waits."""

from __future__ import annotations

import random

import pytest

from dataagent.intent.chart import Edge, Grammar, Rule, parse, rules

CATS = ("A", "B", "C", "D", "P", "Q", "R", "S")


def _made(chance: random.Random) -> tuple[Rule, ...]:
    """Some rules of one to three symbols, whose phrases mean the meanings of their parts in a row."""
    made: list[Rule] = []
    for _ in range(chance.randint(4, 14)):
        symbols = " ".join(chance.choices(CATS, k=chance.randint(1, 3)))
        made.extend(rules(chance.choice(CATS[4:]), symbols, lambda *parts: "".join(parts)))
    return tuple(made)


def _by_trying(lexical: tuple[Edge, ...], all_rules: tuple[Rule, ...]) -> set[tuple[int, int, str]]:
    """Every span and category that some rule makes of others, tried until nothing is new."""
    found = {(e.start, e.end, e.cat) for e in lexical}
    while True:
        new = {(at, end, rule.cat) for rule in all_rules for at in range(8) for end in _ends(rule.symbols, at, found)}
        if new <= found:
            return found
        found |= new


def _ends(symbols: tuple[str, ...], at: int, found: set[tuple[int, int, str]]) -> set[int]:
    ends = {at}
    for symbol in symbols:
        ends = {end for start, end, cat in found if cat == symbol and start in ends}
    return ends


@pytest.mark.parametrize("seed", range(60))
def test_every_phrase_that_rules_make_is_found(seed: int) -> None:
    chance = random.Random(seed)
    all_rules = _made(chance)
    words = [(at, cat) for at in range(6) for cat in chance.sample(CATS[:4], k=chance.randint(0, 2))]
    lexical = tuple(Edge(at, at + 1, cat, cat.lower(), ()) for at, cat in words)
    edges, whole = parse(lexical, Grammar(all_rules))
    assert whole
    assert {(e.start, e.end, e.cat) for e in edges} == _by_trying(lexical, all_rules)


def test_a_category_begins_what_its_own_phrases_begin() -> None:
    grammar = Grammar((*rules("P", "A B", str), *rules("Q", "P C?", str), *rules("R", "B Q", str)))
    assert grammar.begun_by("A") == {"A", "P", "Q"}
    assert grammar.begun_by("C") == {"C"}

"""A changed word changes the outcome or the plan: mutations of every answered evaluation question."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from catalog.types import CatalogSnapshot
from dataagent.intent.lexicon import GRAMMAR_WORDS
from dataagent.intent.timewords import may_be_time
from dataagent.intent.view import stem, stems_of
from dataagent.management.commands.intent import Reader
from tests.intent.mutants import Mutant, mutants

FOLDER: Path = settings.SUITES.parent / "nlq"
pytestmark = [
    pytest.mark.suite,
    pytest.mark.skipif(not (FOLDER / "questions.jsonl").is_file(), reason="../shared/nlq is absent"),
]
SAMPLES = {"add": 1500, "drop": 1200, "swap": 600, "date": 300, "number": 300, "unit": 300, "value": 400, "negate": 200}
"""At most so many of each kind."""
_SAME = ("expr", "defaults_used", "answer_shape", "kind")
Outcome = tuple[str, str]


def _plain(plan: Any) -> Any:
    """The plan without what only names it."""
    if isinstance(plan, dict):
        return {k: _plain(v) for k, v in plan.items() if k not in _SAME}
    return [_plain(v) for v in plan] if isinstance(plan, list) else plan


class Asked:
    """Questions of the folder with what became of them."""

    def __init__(self) -> None:
        self.reader = Reader(FOLDER / "catalog.yaml", None)
        lines = [json.loads(text) for text in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
        asked = [line for line in lines if not line["context_turns"] and line["expect"] == "answer"]
        self.answered = [(line, self.result(line, line["question"])) for line in asked]
        self.answered = [(line, found) for line, found in self.answered if found["decision"] == "answer"]

    def result(self, line: dict[str, Any], question: str) -> dict[str, Any]:
        return self.reader.result({**line, "question": question})


def outcome(result: dict[str, Any]) -> Outcome:
    """What must differ: the decision, or anything that the plan says."""
    return (result["decision"], json.dumps(_plain(result["plan"]), sort_keys=True, default=str))


def members(snapshot: CatalogSnapshot) -> dict[str, tuple[str, ...]]:
    """Each member that stands in one dimension, with the others of it."""
    held = [d for model in snapshot.models for d in model.dimensions]
    count = Counter(str(v).lower() for d in held for v in d.values)
    return {
        str(v).lower(): tuple(str(o) for o in d.values if o != v)
        for d in held
        for v in d.values
        if count[str(v).lower()] == 1
    }


def says_nothing(
    line: dict[str, Any], mutant: Mutant, before: dict[str, Any], after: dict[str, Any], snapshot: CatalogSnapshot
) -> bool:
    """Whether a dropped word may leave the plan as it was.

    It is a word of English grammar or of a date; or a default that is told took its place; or what the
    certificate says it was bound to is in the plan still, which other words of the question say too.
    """
    if mutant.word in GRAMMAR_WORDS or not mutant.word or may_be_time(mutant.word):
        return True
    if before["plan"]["defaults_used"] != after["plan"]["defaults_used"]:
        return True
    at = line["question"].lower().find(mutant.word)
    bound = [b for b in before["certificate"] if b["start"] <= at < b["end"]]
    said = json.dumps(after["plan"])
    return any(_is_there(b, said) for b in bound) or _agrees(mutant.word, after["plan"], snapshot)


def _agrees(verb: str, plan: dict[str, Any], snapshot: CatalogSnapshot) -> bool:
    """Whether a verb says what the name of a field of the plan says: "paid" beside the payment method."""
    fields = (*plan["dimensions"], *(f["field"] for f in plan["filters"]))
    return any(stem(verb) in stems_of(snapshot, field) for field in fields)


def _is_there(binding: dict[str, Any], said: str) -> bool:
    if binding["kind"] in {"metric", "dimension", "value"}:
        return any(json.dumps(t)[1:-1] in said for t in binding["target"].split("/"))
    return binding["kind"] in {"entity", "event"}


@pytest.fixture(scope="module")
def asked() -> Asked:
    return Asked()


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_a_changed_word_is_never_passed_over_in_silence(asked: Asked, kind: str) -> None:
    """Nor is an added one: "by every plan" alone means "by plan", where "every" stands on the list of such words."""
    values = members(asked.reader.snapshot)
    made = [(line, found, m) for line, found in asked.answered for m in mutants(line["question"], values)]
    chosen = [one for one in made if one[2].kind == kind and one[2].text.strip()]
    chosen = random.Random(11).sample(chosen, min(SAMPLES[kind], len(chosen)))
    silent: list[str] = []
    for line, found, mutant in chosen:
        after = asked.result(line, mutant.text)
        if outcome(after) != outcome(found):
            continue
        if kind == "drop" and says_nothing(line, mutant, found, after, asked.reader.snapshot):
            continue
        if not (kind == "add" and "by every " in mutant.text):
            silent.append(mutant.text)
    assert silent == [], silent
    assert len(chosen) >= 30

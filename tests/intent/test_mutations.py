"""A changed word changes the outcome or the plan: mutations of every answered evaluation question."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from dataagent.intent.planjson import canonical_plan
from dataagent.management.commands.intent import Reader

FOLDER: Path = settings.SUITES.parent / "nlq"
pytestmark = [
    pytest.mark.suite,
    pytest.mark.skipif(not (FOLDER / "questions.jsonl").is_file(), reason="../shared/nlq is absent"),
]
MODIFIERS = (
    "own", "still", "net", "first", "less", "other", "only", "not", "no", "without", "average", "never", "almost",
    "expected", "new", "same", "or", "more", "most", "percent", "except", "change", "top", "roughly", "adjusted",
)  # fmt: skip
SWAPS = {
    "and": ("or", "and not"), "or": ("and", "and not"), "excluding": ("including",), "more": ("less",),
    "fewer": ("more",), "top": ("bottom",), "without": ("with",), "least": ("most",), "above": ("below",),
    "over": ("under",), "last": ("next", "this"), "highest": ("lowest",), "worst": ("best",), "not": ("",),
}  # fmt: skip
SAMPLE = 1500


def _mutants(question: str) -> Iterator[str]:
    words = question.split(" ")
    for place in range(len(words) + 1):
        for modifier in MODIFIERS:
            yield " ".join((*words[:place], modifier, *words[place:]))
    for place, word in enumerate(words):
        for other in SWAPS.get(word.lower(), ()):
            yield " ".join(w for w in (*words[:place], other, *words[place + 1 :]) if w)


def _outcome(reader: Reader, line: dict[str, Any], question: str) -> tuple[Any, ...]:
    result = reader.result({**line, "question": question})
    return (result["decision"], canonical_plan(result["plan"]))


def test_a_changed_word_is_never_passed_over_in_silence() -> None:
    reader = Reader(FOLDER / "catalog.yaml", None)
    lines = [json.loads(text) for text in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    answered = []
    for line in lines:
        if not line["context_turns"] and line["expect"] == "answer":
            outcome = _outcome(reader, line, line["question"])
            answered += [(line, outcome, m) for m in _mutants(line["question"]) if outcome[0] == "answer"]
    chosen = random.Random(11).sample(answered, min(SAMPLE, len(answered)))
    silent = [mutant for line, outcome, mutant in chosen if _outcome(reader, line, mutant) == outcome]
    assert silent == []

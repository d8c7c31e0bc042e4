"""The evaluation questions: never silently wrong, and the coverage that was reached stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings

from dataagent.intent.scoring import Scored, measures, score_line
from dataagent.management.commands.intent import Reader

FOLDER: Path = settings.SUITES.parent / "nlq"
pytestmark = [
    pytest.mark.suite,
    pytest.mark.skipif(not (FOLDER / "questions.jsonl").is_file(), reason="../shared/nlq is absent"),
]
FLOORS = {"coverage": 0.86, "clarify_recall": 0.9, "abstain_recall": 0.95, "deny_recall": 0.95}


@pytest.fixture(scope="module")
def scored() -> tuple[Scored, ...]:
    reader = Reader(FOLDER / "catalog.yaml", None)
    lines = [json.loads(text) for text in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return tuple(score_line(line, reader.result(line)) for line in lines)


def test_no_question_is_answered_silently_wrong(scored: tuple[Scored, ...]) -> None:
    assert [s.id for s in scored if s.wrong] == []


@pytest.mark.parametrize("measure", FLOORS)
def test_what_was_reached_is_not_lost(scored: tuple[Scored, ...], measure: str) -> None:
    assert measures(scored)[measure]["share"] >= FLOORS[measure]

"""Case files are checked; each complaint names its file and line."""

from __future__ import annotations

from datetime import date

import pytest

from catalog.types import Operator, TimeGranularity
from dataagent.intent.types import Decision
from evals.cases import CaseError, parse_suite
from evals.types import ExpectedFilter, Suite

HEAD = """\
suite: {name: demo, workspace: demo, today: 2025-06-18, owner: sales_ops}
cases:
"""


def suite(text: str) -> Suite:
    return parse_suite((HEAD + text).encode(), file="demo.yaml")


def complaints(text: str) -> tuple[str, ...]:
    with pytest.raises(CaseError) as caught:
        suite(text)
    return caught.value.complaints


def test_a_case_is_read_with_the_suites_defaults() -> None:
    case = suite("""\
  - id: emea
    question: net revenue by month this year for EMEA
    intent:
      metrics: [net_revenue]
      filters: [{field: region, op: "=", value: EMEA}]
      grain: month
      start: 2025-01-01
    references: ["SELECT 1 ORDER BY 1"]
    tags: [trend]
""").cases[0]
    assert (case.requester, case.today, case.owner, case.decision) == (
        "analyst",
        date(2025, 6, 18),
        "sales_ops",
        Decision.ANSWER,
    )
    assert case.intent is not None
    assert case.intent.grain is TimeGranularity.MONTH
    assert case.intent.filters == (ExpectedFilter(field="region", op=Operator.EQ, values=("EMEA",)),)
    assert case.intent.dimensions is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "  - {id: a, question: x, decision: answer}\n",
            "demo.yaml:3: cases.0: an expected answer needs references or an intent, or nothing would be checked.",
        ),
        (
            "  - {id: a, question: x, decision: deny}\n  - {id: b, question: y, decison: deny}\n",
            "demo.yaml:4: cases.1.decison: Extra inputs are not permitted.",
        ),
        (
            "  - id: a\n    question: x\n    decision: perhaps\n",
            "demo.yaml:5: cases.0.decision: Input should be 'answer', 'clarify', 'abstain', 'deny' or 'define'.",
        ),
        (
            "  - {id: a, question: x, decision: deny}\n  - {id: a, question: y, decision: deny}\n",
            'demo.yaml:4: the case id "a" stands here twice.',
        ),
    ],
)
def test_a_mistake_is_named_with_file_and_line(text: str, complaint: str) -> None:
    assert complaint in complaints(text)


def test_text_that_is_not_yaml_is_refused_with_its_line() -> None:
    assert complaints("  - {id: [\n")[0].startswith("demo.yaml:")


def test_a_suite_without_cases_is_refused() -> None:
    assert complaints("  []\n")[0].startswith("demo.yaml:2: cases:")

"""A question that asks for what a definition leaves out stops; its twin goes on."""

from __future__ import annotations

import pytest

from catalog.contract import excludes
from catalog.types import Filter, Operator


def condition(op: Operator, *values: object, field: str = "is_test_account") -> Filter:
    return Filter(field=field, op=op, values=values)  # type: ignore[arg-type]


REAL = condition(Operator.EQ, False)


@pytest.mark.parametrize(
    ("own", "given", "expected"),
    [
        (REAL, condition(Operator.EQ, True), True),
        (REAL, condition(Operator.EQ, False), False),
        (REAL, condition(Operator.NE, False), True),
        (REAL, condition(Operator.EQ, True, field="is_discontinued"), False),
        (REAL, condition(Operator.EQ, True, field="customer__is_test_account"), True),
        (condition(Operator.IN, "A", "B"), condition(Operator.IN, "B", "C"), False),
        (condition(Operator.IN, "A", "B"), condition(Operator.EQ, "c"), True),
        (condition(Operator.NE, "A"), condition(Operator.EQ, "a"), True),
        (condition(Operator.NE, "A"), condition(Operator.NE, "B"), False),
    ],
)
def test_two_conditions_exclude_each_other_or_not(own: Filter, given: Filter, expected: bool) -> None:
    assert excludes(own, given) is expected

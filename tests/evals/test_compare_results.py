"""Results agree by value: the known traps of graders, each with its allowed twin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest

from evals.graders.compare_results import compare_results
from evals.types import ComparisonRule, ResultRows

RULE = ComparisonRule()


def rows(*lines: Sequence[Any]) -> ResultRows:
    width = len(lines[0]) if lines else 2
    return ResultRows(columns=tuple(f"c{i}" for i in range(width)), rows=tuple(tuple(line) for line in lines))


def equal(actual: ResultRows, expected: ResultRows, rule: ComparisonRule = RULE, keys: Any = None) -> bool:
    return compare_results(actual, expected, rule, order_keys=keys).equal


def test_the_same_rows_in_another_order_agree() -> None:
    assert equal(rows(("b", 2), ("a", 1)), rows(("a", 1), ("b", 2)))


def test_a_lost_duplicate_row_fails() -> None:
    assert not equal(rows(("a", 1), ("b", 2)), rows(("a", 1), ("a", 1), ("b", 2)))


def test_the_same_number_of_rows_with_another_duplicate_fails() -> None:
    assert not equal(rows(("a", 1), ("b", 2), ("b", 2)), rows(("a", 1), ("a", 1), ("b", 2)))


def test_values_swapped_across_rows_fail() -> None:
    assert not equal(rows(("a", 2), ("b", 1)), rows(("a", 1), ("b", 2)))


def test_floats_swapped_across_rows_fail() -> None:
    assert not equal(rows(("a", 2.5), ("b", 1.5)), rows(("a", 1.5), ("b", 2.5)))


@pytest.mark.parametrize("wrong", [Decimal("100.50"), 100.5, Decimal("100.01"), 101])
def test_half_a_percent_off_fails(wrong: Any) -> None:
    assert not equal(rows(("a", wrong)), rows(("a", 100)))
    assert not equal(rows(("a", wrong)), rows(("a", 100.0)))


@pytest.mark.parametrize("same", [100, Decimal(100), Decimal("100.00"), 100.0])
def test_a_number_agrees_whatever_its_type(same: Any) -> None:
    assert equal(rows(("a", same)), rows(("a", 100)))
    assert equal(rows(("a", 100)), rows(("a", same)))


def test_floats_agree_within_the_tolerance_only() -> None:
    third = Decimal("0.3333333333333333")
    assert equal(rows((third,)), rows((1 / 3,)))
    assert equal(rows((0.1 + 0.2,)), rows((Decimal("0.3"),)))
    assert not equal(rows((Decimal("0.3333"),)), rows((1 / 3,)))


def test_exact_decimals_have_no_tolerance() -> None:
    assert not equal(rows((Decimal("10000000000.01"),)), rows((Decimal("10000000000.02"),)))


def test_an_extra_column_passes_and_a_rule_may_forbid_it() -> None:
    actual, expected = rows(("a", 1, "x"), ("b", 2, "y")), rows(("a", 1), ("b", 2))
    assert equal(actual, expected)
    assert not equal(actual, expected, ComparisonRule(extra_columns=False))


def test_a_missing_column_fails() -> None:
    assert not equal(rows(("a",), ("b",)), rows(("a", 1), ("b", 2)))


def test_columns_are_found_in_any_order() -> None:
    assert equal(rows((1, "a"), (2, "b")), rows(("a", 1), ("b", 2)))


def test_columns_with_the_same_values_are_assigned_by_search_not_by_the_first_fit() -> None:
    expected = rows(("a", 1), ("b", 2), ("c", 3))
    actual = rows(("a", 2, 1), ("b", 1, 2), ("c", 3, 3))
    found = compare_results(actual, expected, RULE)
    assert found.equal
    assert found.columns == (0, 2)


def test_one_actual_column_cannot_stand_for_two_expected_ones() -> None:
    assert not equal(rows((1, 9), (2, 8)), rows((1, 1), (2, 2)))


def test_null_is_only_null() -> None:
    assert equal(rows(("a", None)), rows(("a", None)))
    assert not equal(rows(("a", 0)), rows(("a", None)))
    assert not equal(rows(("a", "")), rows(("a", None)))


def test_text_is_never_a_number_and_true_is_never_one() -> None:
    assert not equal(rows(("1",)), rows((1,)))
    assert not equal(rows((True,)), rows((1,)))


def test_midnight_is_its_day_and_noon_is_not() -> None:
    assert equal(rows((datetime.fromisoformat("2025-05-01T00:00"),)), rows((date(2025, 5, 1),)))
    assert not equal(rows((datetime.fromisoformat("2025-05-01T12:00"),)), rows((date(2025, 5, 1),)))


def test_the_order_counts_where_the_reference_orders() -> None:
    actual, expected = rows(("b", 2), ("a", 1)), rows(("a", 1), ("b", 2))
    assert not equal(actual, expected, keys=(1,))
    assert equal(expected, expected, keys=(1,))


def test_ties_of_the_ordering_column_may_stand_in_any_order() -> None:
    assert equal(rows(("b", 1), ("a", 1)), rows(("a", 1), ("b", 1)), keys=(1,))


def test_near_equal_floats_that_sort_differently_still_pair_up() -> None:
    tiny = 1e-13
    assert equal(rows((1.0, 5.0), (1.0 + tiny, 3.0)), rows((1.0 + tiny, 5.0), (1.0, 3.0)))
    assert not equal(rows((1.0, 5.0), (1.0 + tiny, 3.0)), rows((1.0 + tiny, 5.0), (1.0, 4.0)))


def test_not_a_number_agrees_with_itself_only() -> None:
    assert equal(rows((math.nan,)), rows((math.nan,)))
    assert not equal(rows((0.0,)), rows((math.nan,)))


def test_a_cut_result_never_agrees() -> None:
    whole = rows(("a", 1))
    cut = ResultRows(columns=whole.columns, rows=whole.rows, truncated=True)
    assert "row cap" in compare_results(cut, whole, RULE).reason


def test_an_extra_row_fails_with_both_counts() -> None:
    assert compare_results(rows((1,), (2,)), rows((1,)), RULE).reason == "2 rows instead of 1"


def test_many_alike_columns_end_in_time() -> None:
    wide = ResultRows(columns=tuple("abcdefghijkl"), rows=(tuple([1] * 12), tuple([2] * 12)))
    assert equal(wide, wide)
    other = ResultRows(columns=wide.columns, rows=((1, 2) * 6, (2, 1) * 6))
    assert not equal(other, wide)

"""Contributions make up the change, whatever the figures are."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dataagent.answering.contribution import (
    MAX_GROUPS,
    Contribution,
    Quotient,
    added_up,
    adds_up_to,
    cancels_out,
    decimal,
    largest_first,
    left_over,
    of_quotients,
    side_by_side,
    unevenness,
)

Cell = Decimal | int | None
cells = st.none() | st.decimals(-(10**9), 10**9, places=4) | st.integers(-(10**12), 10**12)
counts = st.integers(0, 10**6).map(Fraction)


def quotient(member: str, top_now: int, bottom_now: int, top_before: int, bottom_before: int) -> Quotient:
    counted = (Fraction(n) for n in (top_now, bottom_now, top_before, bottom_before))
    now, on, before, on_before = counted
    return Quotient(member=member, top_now=now, bottom_now=on, top_before=before, bottom_before=on_before)


@given(st.lists(st.tuples(st.none() | st.text(max_size=5), cells, cells), max_size=30))
def test_what_adds_up_leaves_nothing_over(
    groups: list[tuple[str | None, Decimal | int | None, Decimal | int | None]],
) -> None:
    parts = added_up(groups)
    change = sum((Fraction(now or 0) - Fraction(before or 0) for _, now, before in groups), Fraction(0))
    assert left_over(parts, change) == 0
    assert left_over(largest_first(parts), change) == 0
    assert 0 <= unevenness(parts) <= 1


@given(st.lists(st.tuples(counts, counts, counts, counts), min_size=1, max_size=25))
def test_rate_and_mix_effects_make_up_the_change_of_a_ratio_exactly(
    figures: list[tuple[Fraction, Fraction, Fraction, Fraction]],
) -> None:
    groups = [
        Quotient(member=str(i), top_now=min(a, b), bottom_now=b, top_before=min(c, d), bottom_before=d)
        for i, (a, b, c, d) in enumerate(figures)
    ]
    parts = of_quotients(groups)
    bottom_now, bottom_before = sum(g.bottom_now for g in groups), sum(g.bottom_before for g in groups)
    if not bottom_now or not bottom_before:
        assert parts is None
        return
    assert parts is not None
    change = (
        Fraction(sum(g.top_now for g in groups)) / bottom_now
        - Fraction(sum(g.top_before for g in groups)) / bottom_before
    )
    assert left_over(parts, change) == 0
    assert left_over(largest_first(parts), change) == 0
    assert all(p.effect == (p.rate or 0) + (p.mix or 0) for p in parts)


def test_a_group_that_is_new_contributes_by_the_mix_alone() -> None:
    old, new = quotient("old", 10, 100, 10, 100), quotient("new", 50, 100, 0, 0)
    parts = of_quotients([old, new])
    assert parts is not None
    assert [p.rate for p in parts] == [0, 0]
    assert sum(p.mix or 0 for p in parts) == Fraction(60, 200) - Fraction(10, 100)


def test_rates_that_all_rise_while_the_whole_falls_are_told_apart_from_the_mix() -> None:
    """Simpson's paradox: each group's own rate rises, and the low group grows so much that the whole falls."""
    high, low = quotient("high", 9, 10, 80, 100), quotient("low", 30, 100, 2, 10)
    parts = of_quotients([high, low])
    assert parts is not None
    assert all(p.rate is not None and p.rate > 0 for p in parts)
    assert sum(p.effect or 0 for p in parts) < 0


def test_something_counted_on_nothing_is_no_ratio() -> None:
    groups = [
        Quotient(
            member="a", top_now=Fraction(1), bottom_now=Fraction(2), top_before=Fraction(1), bottom_before=Fraction(2)
        ),
        Quotient(
            member="b", top_now=Fraction(1), bottom_now=Fraction(0), top_before=Fraction(0), bottom_before=Fraction(0)
        ),
    ]
    assert of_quotients(groups) is None


def test_many_groups_are_shown_by_size_and_the_rest_together() -> None:
    parts = added_up([(f"g{i:02}", i, 0) for i in range(1, 31)])
    shown = largest_first(parts)
    assert [p.member for p in shown[:3]] == ["g30", "g29", "g28"]
    assert (len(shown), shown[-1].others, shown[-1].effect) == (MAX_GROUPS + 1, 20, sum(range(1, 21)))


def test_what_does_not_add_up_has_no_sum_of_the_rest() -> None:
    shown = largest_first(side_by_side([(f"g{i:02}", i, 0) for i in range(1, 31)]))
    assert (shown[-1].others, shown[-1].effect, shown[-1].now) == (20, None, None)
    assert left_over(shown, Fraction(1)) is None
    assert not adds_up_to(shown, Fraction(1))


def test_movements_against_each_other_are_noticed() -> None:
    assert cancels_out(added_up([("a", 100, 0), ("b", 0, 99)]), Fraction(1))
    assert not cancels_out(added_up([("a", 100, 0), ("b", 0, 10)]), Fraction(90))


def test_a_change_in_proportion_is_even_and_one_of_a_small_group_is_not() -> None:
    even = unevenness(added_up([("a", 110, 100), ("b", 11, 10)]))
    uneven = unevenness(added_up([("a", 100, 100), ("b", 21, 10)]))
    assert even == 0
    assert uneven > Fraction(9, 10)


@given(st.fractions(-(10**9), 10**9, max_denominator=10**6))
def test_a_cell_is_the_fraction_to_twelve_places(value: Fraction) -> None:
    cell = decimal(value)
    assert cell is not None
    assert abs(Fraction(cell) - value) <= Fraction(1, 2 * 10**12)


def test_a_contribution_without_a_figure_in_one_period_has_no_own_change() -> None:
    assert Contribution(member="a", now=None, before=Fraction(1)).difference is None

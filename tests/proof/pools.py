"""Values that like to go wrong, as strategies."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

from hypothesis import strategies as st

from catalog.types import TimeGranularity

EDGES = [
    *(date(2023, 12, 30) + timedelta(days=n) for n in range(5)),
    date(2024, 2, 28),
    date(2024, 2, 29),
    date(2024, 3, 1),
    date(2024, 12, 29),
    date(2024, 12, 30),
    date(2024, 12, 31),
    date(2025, 1, 1),
    date(2025, 1, 5),
    date(2025, 1, 31),
    date(2025, 2, 28),
    date(2025, 3, 8),
    date(2025, 3, 9),
    date(2025, 3, 30),
    date(2025, 3, 31),
    date(2025, 4, 1),
    date(2025, 10, 26),
    date(2025, 11, 2),
    date(2026, 12, 28),
    date(2026, 12, 31),
    date(2027, 1, 3),
    date(2027, 1, 4),
]
"""Leap days, year ends, weeks 1 and 53, the days on which clocks change in London and New York."""
CLOCKS = [(0, 0, 0, 0), (0, 30, 0, 0), (1, 30, 0, 0), (12, 0, 0, 0), (23, 59, 59, 999_999)]
WORDS = [None, "a", "b", "A", "it's", ""]
RANKS = ("low", "mid", "high")
NAMES = ("order", "group", "total sales (€)", "user", "select")
GRAINS = [
    TimeGranularity.DAY,
    TimeGranularity.WEEK,
    TimeGranularity.MONTH,
    TimeGranularity.QUARTER,
    TimeGranularity.YEAR,
]

days = st.one_of(st.sampled_from(EDGES), st.integers(0, 70).map(lambda n: date(2025, 1, 1) + timedelta(days=n)))
maybe_days = st.one_of(days, days, days, st.none())
moments = st.builds(lambda d, c: datetime.combine(d, time(*c)), days, st.sampled_from(CLOCKS))
whole_numbers = st.one_of(st.none(), st.integers(-3, 5), st.just(9_007_199_254_740_993))
decimals = st.one_of(st.none(), st.integers(-300, 999).map(lambda n: Decimal(n).scaleb(-2)))
words = st.sampled_from(WORDS)

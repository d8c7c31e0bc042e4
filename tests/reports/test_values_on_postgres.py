"""Nasty values and names in PostgreSQL give the same answer as in DuckDB at every door, to the last digit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from tests.reports.conftest import Founding
from tests.reports.door import Company, Row
from tests.reports.test_values_at_the_doors import ROWS, TODAY, VISITS
from tests.warehouse.postgres_server import scratch_database

pytestmark = pytest.mark.service


@pytest.fixture(scope="module")
def both(company: Founding) -> Iterator[tuple[Company, Company]]:
    with scratch_database() as server:
        server.run(ROWS)
        server.grant("odd")
        with override_settings(WAREHOUSES={"visits_pg-co": server.url}):
            yield company("visits", VISITS, ROWS), company("visits_pg", VISITS, ROWS)


def by_group(rows: list[Row]) -> list[Row]:
    """The rows in one order: each engine sorts text by its own rules."""
    return sorted(rows, key=lambda row: str(row[0]))


@pytest.mark.parametrize(
    "question",
    [
        "turnover by note in 2025",
        "turnover by visitor in 2025",
        "weight by account in 2025",
        "hit rate by account in 2025",
        "hit rate by month in 2025",
        "hit rate in February 2025 vs January 2025",
        "turnover by month in 2025",
        "share of visits by visitor in 2025",
        "top 2 accounts by weight in 2025",
        "running total of turnover by month in 2025",
        "visits in 2025 excluding blah",
        "which notes had more than 0 hits in 2025",
        "turnover in April 2025",
    ],
)
def test_both_engines_say_the_same_at_every_door(both: tuple[Company, Company], question: str) -> None:
    embedded, served = (company.ask(question, TODAY) for company in both)
    for part in ("headline", "subline", "total_row", "assumptions", "caveats"):
        assert served.json[part] == embedded.json[part]
    assert by_group(served.rows) == by_group(embedded.rows)
    assert sorted(served.csv) == sorted(embedded.csv)
    assert sorted(served.cells) == sorted(embedded.cells)

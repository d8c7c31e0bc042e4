"""Every accepted run ends exactly once, with one manifest in an unbroken chain, whatever is killed meanwhile."""

from __future__ import annotations

import pytest

from tests.faults.harness import BROKERS, Plan, go
from tests.faults.launch import DEATHS, PLACES, place_of

pytestmark = pytest.mark.service


def test_the_places_of_death_are_spread_over_all_steps_and_all_counts() -> None:
    drawn = {place_of(f"run-{n}") for n in range(5000)}
    assert drawn == {(place, deaths) for place in PLACES for deaths in DEATHS}


def test_a_few_runs_survive_the_death_of_everything() -> None:
    report = go(Plan(runs=5, every_s=1.5, postgres_each=2, most_kills=3, most_deaths=1, scale=0.01))
    assert report["wrong"] == {}, report
    assert report["accepted"] == 5
    assert report["killed"]["by_chance"]["postgres"] >= 1


@pytest.mark.slow
def test_hundreds_of_runs_survive_the_death_of_everything() -> None:
    report = go(Plan(runs=300, seed=7, every_s=3))
    assert report["wrong"] == {}, report
    assert report["places_never_died_at"] == []


@pytest.mark.slow
@pytest.mark.parametrize("broker", sorted(BROKERS))
def test_runs_survive_with_a_broker(broker: str) -> None:
    report = go(Plan(runs=100, seed=3, every_s=3, broker=BROKERS[broker]))
    assert report["wrong"] == {}, report

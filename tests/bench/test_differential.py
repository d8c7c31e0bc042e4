"""Random metric queries beside MetricFlow: a seed repeats them, and known faults of the peer are told apart."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from catalog.management.metricflow.compare import difference
from dataagent.management.differential.asked import Asked, Name
from dataagent.management.differential.faults import known_fault
from dataagent.management.differential.generate import Vocabulary, queries
from dataagent.management.differential.invent import invented
from dataagent.management.differential.run import Given, run
from dataagent.management.differential.verdict import Outcome, verdict_on
from tests.catalog.flow.shop import query, shop, warehouse

SUITE = settings.SUITES / "metricflow"
PEER = os.environ.get("METRICFLOW_PYTHON", "")
TIME = Name(kind="time_dimension", name="metric_time", grain="day")
NAMES = (TIME, Name(kind="dimension", name="order__channel"), Name(kind="entity", name="customer"))


class _Shop:
    dialect = "duckdb"

    def run(self, sql: str) -> Any:
        made = warehouse().cursor().execute(sql)
        return tuple(d[0] for d in made.description or ()), tuple(made.fetchall())


def _vocabulary() -> Vocabulary:
    names = {"": NAMES, "revenue": NAMES, "orders": NAMES}
    return Vocabulary(names=names, values=lambda _, name: [1, 2] if name.kind == "entity" else ["web", "shop"])


def test_a_seed_gives_the_same_queries_and_another_one_others() -> None:
    one, again, other = (list(queries(_vocabulary(), Random(s), 200)) for s in (1, 1, 2))
    assert one == again != other
    assert {len(q.metrics) for q in one} == {0, 1, 2}
    assert any(q.where for q in one)
    assert any(q.min_max_only for q in one)
    assert any(q.limit for q in one)


def test_invented_metrics_are_of_every_kind_and_can_be_read(tmp_path: Path) -> None:
    text = invented(shop(), Random(3), 60)
    made = [d["metric"] for d in yaml.safe_load_all(text)]
    assert {m["type"] for m in made} == {"simple", "cumulative", "derived", "ratio"}
    assert len({m["name"] for m in made}) == 60


def test_rows_decide_and_a_known_fault_is_told_apart() -> None:
    asked = Asked(metrics=("revenue",), group_by=(NAMES[1],))
    right = "SELECT channel AS order__channel, SUM(amount) AS revenue FROM mf.orders GROUP BY 1"
    assert verdict_on(asked, {"sql": right}, shop(), _Shop()).outcome is Outcome.EQUAL
    assert verdict_on(asked, {"refused": "no"}, shop(), _Shop()).outcome is Outcome.THEY_REFUSE
    assert difference(_Shop().run(right), _Shop().run(f"SELECT * FROM ({right}) LIMIT 2"))
    assert known_fault(query("revenue", "order__channel"), shop()) == ""
    assert known_fault(query("revenue_change", "metric_time metric_time__month"), shop()) == "several times on a spine"


def test_a_peer_that_cannot_start_is_told() -> None:
    if not SUITE.is_dir():
        pytest.skip("../shared/suites/metricflow is absent")
    with pytest.raises(CommandError, match="ended without an answer"):
        call_command(
            "differential",
            str(SUITE),
            peer_python=Path("/bin/false"),
            queries=1,
            manifest=["join_types_manifest"],
            stdout=StringIO(),
        )


@pytest.mark.slow
@pytest.mark.skipif(not (PEER and SUITE.is_dir()), reason="METRICFLOW_PYTHON or the suite is absent")
def test_no_random_query_gives_other_rows_than_metricflow() -> None:
    given = Given(suite=SUITE, peer_python=Path(PEER), count=100, seed=11, more_rows=60, invented=20)
    found = [(m, v.asked.told(), v.told) for m, v in run(given) if v.outcome in {Outcome.DIFFERENT, Outcome.OURS_FAILS}]
    assert found == []

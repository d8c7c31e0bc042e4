"""Members are read by a task: for each kind of sight, under a lease, in versions; whatever goes wrong is told."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.core.management import call_command
from django.utils import timezone

from catalog import service as catalog
from catalog.members import Members
from catalog.types import CatalogSnapshot, Dimension, DimensionType, SemanticModel
from dataagent.accounts import service as accounts
from dataagent.accounts.types import Member
from dataagent.celery import app
from dataagent.management.checks import member_words
from dataagent.policy import service as policy
from dataagent.runs import store, tasks
from dataagent.runs.models import MemberChunk, MemberList, MemberUpkeep
from dataagent.runs.service import memberbuild, memberfiles, memberupkeep, words
from dataagent.runs.service.memberfiles import StaleList, file_of, loaded
from dataagent.warehouse import pool
from dataagent.warehouse.port import WarehouseFault

POLICY = """
version: "1"
roles:
  analyst:
    capabilities: [ask, query]
    metrics: {allow: "*"}
    tables: {main.place: {columns: "*"}}
  regional:
    capabilities: [ask, query]
    metrics: {allow: "*"}
    tables:
      main.place: {columns: "*", row_filter: {id: own, predicate: "region = :region", label: own region}}
"""
CATALOG = CatalogSnapshot(
    name="places",
    digest="first",
    dialect="duckdb",
    models=(
        SemanticModel(
            name="place",
            table="main.place",
            dimensions=(
                Dimension(name="city", type=DimensionType.CATEGORICAL, expr="city"),
                Dimension(name="region", type=DimensionType.CATEGORICAL, expr="region"),
                Dimension(name="note", type=DimensionType.CATEGORICAL, expr="note", indexable=False),
                Dimension(name="email", type=DimensionType.CATEGORICAL, expr="email", pii=True),
            ),
        ),
    ),
    metrics=(),
)
ROWS = (("Paris", "EMEA"), ("Oslo", "EMEA"), ("Lima", "LATAM"), ("São Paulo", "LATAM"), ("SAO PAULO", "LATAM"))
Fill = Callable[..., None]


@pytest.fixture
def fill(db: None, settings: Any, tmp_path: Path) -> Fill:
    """Fills a workspace's warehouse, whose people are an analyst and one who sees LATAM alone."""
    settings.HOME = tmp_path
    (tmp_path / "warehouse").mkdir()
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")

    def make(slug: str, *rows: tuple[str, str]) -> None:
        pool.close_all()
        with duckdb.connect(str(tmp_path / "warehouse" / f"{slug}.duckdb")) as made:
            made.execute("CREATE OR REPLACE TABLE place (city VARCHAR, region VARCHAR, note VARCHAR, email VARCHAR)")
            made.executemany("INSERT INTO place VALUES (?, ?, 'seldom said', 'a@b.example')", rows)
        if accounts.workspace(slug) is None:
            place = accounts.create_workspace(slug, name=slug)
            policy.load_policy(place.id, tmp_path / "policy.yaml")
            catalog.publish(place.id, replace(CATALOG, name=slug, digest=f"{slug} 1"))
            member(slug, "analyst")
            member(slug, "regional", region="LATAM")

    return make


def member(slug: str, role: str, name: str = "", **attributes: str) -> Member:
    account = accounts.create_user(name or f"{slug}_{role}", password="x")
    return accounts.set_member(home(slug), account.id, roles=(role,), attributes=attributes)


def home(slug: str = "shop") -> int:
    place = accounts.workspace(slug)
    assert place is not None
    return place.id


def sight(name: str, slug: str = "shop") -> tuple[CatalogSnapshot, Any, str]:
    snapshot = catalog.current_snapshot(home(slug))
    scope = policy.scope(policy.principal(f"{slug}_{name}", slug), pool.warehouse_for(slug).schema(), ())
    return snapshot, scope, words.sight_key(snapshot, scope)


def kept(name: str, slug: str = "shop") -> Members:
    facts = store.member_list(home(slug), sight(name, slug)[2])
    assert facts is not None
    return loaded(home(slug), facts)


def cities(name: str, slug: str = "shop") -> set[str]:
    return {m for _, dimension, found in kept(name, slug).starting("", 99) if dimension.endswith("city") for m in found}


def make_due(slug: str = "shop") -> None:
    MemberUpkeep.rows.of(home(slug)).update(due_at=timezone.now() - timedelta(seconds=1))


def test_each_kind_of_sight_has_its_members_and_folded_variants_stand_together(fill: Fill) -> None:
    fill("shop", *ROWS)
    (done,) = memberupkeep.refresh_due()
    assert (done.claimed, done.sights, done.fault) == (True, 2, "")
    assert cities("analyst") == {"Paris", "Oslo", "Lima", "São Paulo", "SAO PAULO"}
    assert cities("regional") == {"Lima", "São Paulo", "SAO PAULO"}
    assert [found for _, _, found in kept("regional").lookup("sao paulo")] == [("SAO PAULO", "São Paulo")]
    assert kept("regional").lookup("paris") == kept("regional").lookup("atlantis") == ()


def test_what_somebody_may_name_is_byte_for_byte_the_same_whether_or_not_hidden_members_exist(fill: Fill) -> None:
    """A hidden member cannot differ from an absent one in text, options, time or completion: nothing of it is there."""
    hidden = (("Cairo", "EMEA"), ("Lima Bay", "EMEA"), ("Zürich", "EMEA"))
    fill("shop", *ROWS, *hidden)
    memberupkeep.refresh_due()
    with_hidden = store.member_list(home(), sight("regional")[2])
    everything = store.member_list(home(), sight("analyst")[2])
    fill("shop", *ROWS)
    make_due()
    memberupkeep.refresh_due()
    without = store.member_list(home(), sight("regional")[2])
    assert with_hidden is not None
    assert without is not None
    assert with_hidden.digest == without.digest
    assert everything != store.member_list(home(), sight("analyst")[2])


def test_only_indexable_dimensions_are_kept_and_no_personal_data(fill: Fill) -> None:
    fill("shop", *ROWS)
    memberupkeep.refresh_due()
    held = b"".join(bytes(c.content) for c in MemberChunk.rows.of(home()))
    assert b"paris" in held
    assert b"seldom" not in held
    assert b"a@b" not in held


def test_people_who_see_the_same_share_what_is_kept(fill: Fill) -> None:
    fill("shop", *ROWS)
    member("shop", "analyst", "another")
    member("shop", "regional", "elsewhere", region="EMEA")
    (done,) = memberupkeep.refresh_due()
    assert done.sights == len(store.member_lists(home())) == 3


def test_one_workspace_never_meets_another(fill: Fill) -> None:
    fill("shop", *ROWS)
    fill("other", ("Quito", "LATAM"))
    assert {done.workspace for done in memberupkeep.refresh_due()} == {"shop", "other"}
    assert "Quito" not in cities("analyst")
    assert cities("analyst", "other") == {"Quito"}
    others = store.member_list(home("other"), sight("analyst", "other")[2])
    assert others is not None
    assert list(store.member_chunks(home(), others.id)) == []
    with pytest.raises(StaleList):
        loaded(home(), others)
    before = MemberList.rows.of(home()).count()
    store.forget_member_lists(home("other"), kept=frozenset())
    assert (MemberList.rows.of(home("other")).count(), MemberList.rows.of(home()).count()) == (0, before)
    assert not store.cancel_upkeep(home("other"))


def test_a_reading_that_is_not_due_is_not_repeated_and_one_that_is_finds_what_is_new(fill: Fill) -> None:
    fill("shop", *ROWS)
    memberupkeep.refresh_due()
    fill("shop", ("Nice", "EMEA"))
    assert memberupkeep.refresh_due() == ()
    make_due()
    assert memberupkeep.refresh_due()[0].claimed
    assert cities("analyst") == {"Nice"}
    assert len(store.member_lists(home())) == 2
    assert {p.stem for p in memberfiles.folder(home()).iterdir()} == {f.digest for f in store.member_lists(home())}


def test_data_that_have_not_changed_are_not_read_again(fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    fill("shop", *ROWS)
    memberupkeep.refresh_due()
    monkeypatch.setattr(memberupkeep, "build_members", None)
    make_due()
    (done,) = memberupkeep.refresh_due()
    assert (done.fault, done.sights) == ("", 2)


def test_a_new_catalog_makes_it_due(fill: Fill) -> None:
    fill("shop", *ROWS)
    memberupkeep.refresh_due()
    model = replace(CATALOG.models[0], dimensions=CATALOG.models[0].dimensions[1:])
    catalog.publish(home(), replace(CATALOG, name="shop", digest="shop 2", models=(model,)))
    assert memberupkeep.due() == ("shop",)
    memberupkeep.refresh_due()
    assert cities("analyst") == set()
    assert memberupkeep.due() == ()


def test_only_one_process_reads_and_a_dead_one_loses_its_lease(fill: Fill) -> None:
    fill("shop", *ROWS)
    assert store.claim_upkeep(home(), "somebody", catalog="shop 1", lease_s=60, anyway=False)
    assert not memberupkeep.refresh("shop", anyway=True).claimed
    assert memberupkeep.due() == ()
    MemberUpkeep.rows.of(home()).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert memberupkeep.refresh("shop").claimed
    assert not store.tell_upkeep(home(), "somebody", doing="", done_members=0, lease_s=60).held


def failing(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (WarehouseFault("unreachable", "It is away."), "The warehouse could not be read: It is away."),
        (OSError(28, "No space left on device"), "The data folder could not be written: No space left on device."),
        (KeyError("x"), "Members could not be read (KeyError); the log has the details."),
    ],
)
def test_every_failure_is_told_rests_longer_each_time_and_leaves_what_was_read(
    fill: Fill, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    fill("shop", *ROWS)
    fill("other", *ROWS)
    memberupkeep.refresh_due()
    fill("shop", ("Nice", "EMEA"))
    real = memberupkeep.build_members
    monkeypatch.setattr(memberupkeep, "build_members", failing(error))
    rests = []
    for _ in range(2):
        make_due()
        assert [d.fault for d in memberupkeep.refresh_due()] == [told]
        state = memberupkeep.upkeep_of(home())
        assert state is not None
        rests.append((state.due_at - timezone.now()).total_seconds())
    assert "Paris" in cities("analyst")
    assert (state.failures, state.fault) == (2, told)
    assert [round(rest, -1) for rest in rests] == [30, 60]
    assert member_words(state, timezone.now()) == (False, told)
    monkeypatch.setattr(memberupkeep, "build_members", real)
    make_due()
    assert memberupkeep.refresh_due()[0].fault == ""
    assert cities("analyst") == {"Nice"}
    assert not list(memberfiles.folder(home()).glob("*.building"))


def test_a_reading_that_is_cancelled_or_too_long_ends_and_leaves_what_was_read(
    fill: Fill, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    fill("shop", *ROWS)
    memberupkeep.refresh_due()
    fill("shop", ("Nice", "EMEA"))
    monkeypatch.setattr(memberupkeep, "_TELL_EVERY_S", -1.0)
    cancelled = memberupkeep.refresh("shop", anyway=True, progress=lambda *_: memberupkeep.cancel(home()) and None)
    assert "cancelled" in cancelled.fault
    settings.MEMBERS_TIMEOUT_S = -1
    assert "longer than" in memberupkeep.refresh("shop", anyway=True).fault
    assert "Paris" in cities("analyst")


def test_a_version_is_used_only_when_it_is_whole(fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    fill("shop", *ROWS)
    memberupkeep.refresh_due()
    facts = store.member_lists(home())[-1]

    def broken_off() -> Any:
        yield b"half"
        raise OSError(28, "full")

    with pytest.raises(OSError, match="full"):
        store.save_member_list(home(), facts, "shop 1", broken_off())
    assert store.member_list(home(), facts.sight) == facts
    store.forget_member_lists(home(), kept=frozenset(f.sight for f in store.member_lists(home())))
    assert MemberList.rows.of(home()).filter(finished=False).count() == 0


def test_a_file_that_was_damaged_is_fetched_again(fill: Fill) -> None:
    fill("shop", *ROWS)
    memberupkeep.refresh_due()
    facts = store.member_list(home(), sight("analyst")[2])
    assert facts is not None
    path = file_of(home(), facts.digest)
    path.write_bytes(b"x" * facts.size_bytes)
    assert "Paris" in cities("analyst")
    path.unlink()
    assert "Paris" in cities("analyst")


def test_members_are_read_page_by_page_and_a_dimension_of_too_many_is_left_out_and_told(
    fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill("shop", *((f"City {n:03}", "EMEA") for n in range(25)))
    monkeypatch.setattr(memberbuild, "PAGE_ROWS", 10)
    monkeypatch.setattr(memberbuild, "_MEMBERS_IN_MEMORY", 4)
    monkeypatch.setattr(memberbuild, "_WORDS_IN_MEMORY", 4)
    monkeypatch.setattr("dataagent.runs.values.PAGE_ROWS", 10)
    memberupkeep.refresh_due()
    assert len(cities("analyst")) == 25
    assert kept("analyst").has_word("024")
    monkeypatch.setattr(memberbuild, "MAX_IN_ALL", 20)
    fill("shop", *((f"City {n:03}", "EMEA") for n in range(26)))
    make_due()
    memberupkeep.refresh_due()
    assert cities("analyst") == set()
    assert not kept("analyst").has_word("024")
    assert kept("analyst").has_word("emea")
    assert store.member_list(home(), sight("analyst")[2]).left_out == ("city",)  # type: ignore[union-attr]


def test_who_asks_before_anything_was_read_has_it_read_soon(fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    fill("shop", *ROWS)
    monkeypatch.setattr(words, "_held", {})
    memberupkeep.refresh_due()
    assert memberupkeep.due() == ()
    member("shop", "regional", "shop_elsewhere", region="EMEA")
    snapshot, scope, _ = sight("elsewhere")
    assert words.term_index("shop", snapshot, scope).lookup("paris")
    assert memberupkeep.due() == ("shop",)


def test_the_task_of_the_broker_and_the_command_do_the_same(fill: Fill) -> None:
    fill("shop", *ROWS)
    assert "dataagent.runs.tasks.refresh_members" in {e["task"] for e in app.conf.beat_schedule.values()}
    assert (tasks.refresh_members(), tasks.refresh_members()) == (1, 0)
    out = io.StringIO()
    call_command("members", "refresh", "--workspace", "shop", "--json", stdout=out)
    assert json.loads(out.getvalue())["fault"] == ""
    shown = io.StringIO()
    call_command("members", "show", "--workspace", "shop", "--json", stdout=shown)
    told = json.loads(shown.getvalue())
    assert (told["fault"], len(told["lists"]), told["going"]) == ("", 2, False)

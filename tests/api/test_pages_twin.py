"""What a page can do, the API can do: each refusal beside its allowed twin, hidden things like missing ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from dataagent.accounts import service as accounts
from dataagent.policy import service as policy
from dataagent.policy.principal import Capability
from dataagent.runs import service as runs
from dataagent.runs.service.working import claim_and_work
from evals import service as evals
from evals.run import EvalPorts
from evals.service import registry
from evals.types import Decision, GoldenCase, Reply, ResultRows
from tests.api.conftest import Caller
from tests.api.description import faults, routes
from tests.api.shop import MARGIN, ORDERS
from tests.runs.people import SECRET, FakeWorld, answered

Cast = Callable[..., Caller]
ABSENT = "00000000-0000-4000-8000-000000000000"
ROWS = ResultRows(columns=("n",), rows=((2,),))


def good(response: Any, status: int = 200) -> Any:
    """The body of an answer that the description promises, at its address."""
    assert response.status_code == status, response.content
    path, method = response.request["PATH_INFO"], response.request["REQUEST_METHOD"].lower()
    route = next(r for r in routes() if r.method == method and _fits(r.path, path))
    assert faults(route, response) == []
    return response.json()


def _fits(template: str, path: str) -> bool:
    parts, given = template.split("/"), path.split("/")
    return len(parts) == len(given) and all(p == g or p.startswith("{") for p, g in zip(parts, given, strict=True))


def problem(response: Any) -> tuple[int, str]:
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


def asked(caller: Caller) -> dict[str, Any]:
    started = good(caller.post("runs", {"question": "orders", "today": "2025-06-18"}), 202)
    claim_and_work("w", FakeWorld(outcome=answered).machine())
    run: dict[str, Any] = good(caller.get(f"runs/{started['run_id']}"))
    return run


def proposed(curator: Caller, text: str = "Every order.") -> dict[str, Any]:
    made: dict[str, Any] = good(curator.post(f"cards/{ORDERS}/proposals", {"slot": "purpose", "text": text}), 201)
    return made


def eval_finished(slug: str) -> str:
    """The id of a worked-on eval run of the shop's suite."""

    def ask(case: GoldenCase) -> Reply:
        return Reply(decision=Decision.ANSWER if case.id == "one" else Decision.CLARIFY, result=ROWS, sql="SELECT 2")

    who = policy.principal(f"evaluator_{slug}", slug)
    run_id, suite = evals.begin(who, registry.read(registry.source(slug)))
    list(evals.work(who, run_id, suite, lambda _: EvalPorts(ask=ask, run_reference=lambda _, __: ROWS)))
    return run_id


def test_conversations_are_listed_and_read_by_their_owner(cast: Cast) -> None:
    analyst, other = cast("analyst"), cast("curator")
    run = asked(analyst)
    listed = good(analyst.get("conversations"))
    assert [c["session_id"] for c in listed] == [run["session_id"]]
    assert good(analyst.get(f"conversations/{run['session_id']}")) == [run]
    assert good(other.get("conversations")) == []
    assert problem(other.get(f"conversations/{run['session_id']}")) == (404, "not_found")
    assert good(analyst.get("conversations?limit=0")) == []


def test_an_auditor_reads_a_conversation_without_its_data(cast: Cast) -> None:
    session = asked(cast("analyst"))["session_id"]
    assert f"[[{SECRET}]]" in cast("analyst").get(f"conversations/{session}").content.decode()
    seen = cast("auditor").get(f"conversations/{session}")
    good(seen)
    assert SECRET not in seen.content.decode()


def test_a_metric_is_told_as_far_as_policy_allows(cast: Cast) -> None:
    analyst, curator = cast("analyst"), cast("curator")
    mine, theirs = (good(c.get("catalog/metrics/profit")) for c in (analyst, curator))
    assert (theirs["expr"], [i["metric"] for i in theirs["inputs"]]) == ("amount - cost", ["shop_amount", "margin"])
    assert (mine["expr"], [i["metric"] for i in mine["inputs"]]) == ("", ["shop_amount"])
    assert MARGIN in theirs["tables"]
    assert {e["source"] for e in theirs["lineage"]} >= {MARGIN, "margin"}
    assert MARGIN not in str(mine)
    assert "margin" not in str(mine)
    amount = good(analyst.get("catalog/metrics/shop_amount"))
    assert amount["measure"] == "sum of amount"
    assert amount["filters"] == [{"field": "region", "op": "=", "values": ["EMEA"]}]
    assert amount["dimensions"] == ["order", "region"]


def test_a_metric_is_explained_as_far_as_policy_allows(cast: Cast) -> None:
    analyst, curator = cast("analyst"), cast("curator")
    mine, theirs = (good(c.get("catalog/metrics/profit/explanation")) for c in (analyst, curator))
    assert theirs["calculation"] == ["Shop amount - margin."]
    assert '"fct_margin"' in theirs["sql"]
    assert mine == {"calculation": [], "counted": [], "sql": "", "parameters": {}, "notes": []}
    amount = good(analyst.get("catalog/metrics/shop_amount/explanation?by=region&where=region+in+(EMEA,+APAC)"))
    assert amount["calculation"] == [f"The sum of amount in {ORDERS}.", "Only where region = EMEA."]
    assert [c["paths"] for c in amount["counted"]] == [["region stands in orders itself."]]
    assert sorted(amount["parameters"].values()) == ["APAC", "EMEA", "EMEA"]


@pytest.mark.parametrize("asked", ["by=unit_cost_band", "where=unit_cost_band+=+1"])
def test_an_explanation_by_a_hidden_name_fails_like_one_by_an_absent_name(cast: Cast, asked: str) -> None:
    path = "catalog/metrics/shop_amount/explanation?"
    hidden, absent = (cast("analyst").get(path + text) for text in (asked, asked.replace("unit_cost_band", "nothing")))
    assert problem(hidden) == (422, "invalid_input")
    assert hidden.content.replace(b"unit_cost_band", b"nothing") == absent.content


def test_a_dimension_lists_its_members_only_where_no_row_filter_hides_some(cast: Cast) -> None:
    seen = good(cast("curator").get("catalog/dimensions/region"))
    assert (seen["values"], seen["table"]) == (["AMER", "EMEA"], ORDERS)
    assert good(cast("analyst").get("catalog/dimensions/region"))["values"] == []


@pytest.mark.parametrize(
    ("hidden", "absent"),
    [
        ("catalog/metrics/margin", "catalog/metrics/nothing"),
        ("catalog/metrics/margin/explanation", "catalog/metrics/nothing/explanation"),
        ("catalog/dimensions/unit_cost_band", "catalog/dimensions/nothing"),
        (f"cards/{MARGIN}", "cards/nothing"),
        (f"cards/{MARGIN}/versions/1", "cards/nothing/versions/1"),
    ],
)
def test_what_policy_hides_looks_like_what_is_absent(cast: Cast, hidden: str, absent: str) -> None:
    good(cast("curator").get(hidden))
    theirs, missing = (cast("analyst").get(path) for path in (hidden, absent))
    assert problem(theirs) == (404, "not_found")
    assert theirs.content == missing.content


def test_a_reader_without_any_table_sees_nothing_of_the_catalog(cast: Cast) -> None:
    reader, analyst = cast("reader"), cast("analyst")
    assert good(reader.get("catalog/search")) == []
    assert good(analyst.get("catalog/search")) != []
    for path in ("catalog/metrics/shop_orders", "catalog/dimensions/region"):
        assert problem(reader.get(path)) == (404, "not_found")
        good(analyst.get(path))
    assert good(reader.get("cards")) == []
    assert good(reader.get("me"))["sees"] == {"metrics": [], "tables": []}


def test_a_search_is_limited_as_asked(cast: Cast) -> None:
    analyst = cast("analyst")
    everything = good(analyst.get("catalog/search?limit=1000"))
    assert {"shop_orders", "region"} <= {f["name"] for f in everything}
    assert "margin" not in {f["name"] for f in everything}
    assert good(analyst.get("catalog/search?limit=1")) == everything[:1]


def test_a_question_is_completed_with_what_the_caller_may_use(cast: Cast) -> None:
    analyst, curator, reader = cast("analyst"), cast("curator"), cast("reader")
    assert "shop orders" in [c["words"] for c in good(analyst.post("complete", {"text": "shop"}))]
    assert good(analyst.post("complete", {"text": "marg"})) == []
    assert "margin" in [c["words"] for c in good(curator.post("complete", {"text": "marg"}))]
    assert problem(reader.post("complete", {"text": "shop"})) == (403, "not_permitted")
    assert problem(analyst.post("complete", {"text": "s" * 1001}))[0] == 422


def test_a_card_is_edited_by_proposal_difference_and_review(cast: Cast) -> None:
    curator = cast("curator")
    before = good(curator.get(f"cards/{ORDERS}"))
    assert "purpose" in before["editable"]
    made = proposed(curator)
    assert [line["kind"] for line in made["lines"]] == ["changed"]
    assert good(curator.get(f"proposals/{made['id']}")) == made
    assert [p["id"] for p in good(curator.get("proposals"))] == [made["id"]]
    good(curator.post(f"proposals/{made['id']}/publish"))
    after = good(curator.get(f"cards/{ORDERS}"))
    assert (after["version"], after["purpose"]) == (before["version"] + 1, "Every order.")
    assert [v["current"] for v in after["versions"]] == [True, False]
    old = good(curator.get(f"cards/{ORDERS}/versions/{before['version']}"))
    assert (old["purpose"], old["editable"]) == (before["purpose"], [])
    assert problem(curator.post(f"proposals/{made['id']}/publish")) == (409, "conflict")


def test_a_rejected_proposal_changes_nothing_and_says_why(cast: Cast) -> None:
    curator = cast("curator")
    made = proposed(curator)
    rejected = good(curator.post(f"proposals/{made['id']}/reject", {"reason": "Not so."}))
    assert (rejected["state"], rejected["reason"]) == ("rejected", "Not so.")
    assert good(curator.get(f"cards/{ORDERS}"))["version"] == 1
    assert good(curator.get("proposals")) == []
    assert problem(curator.post(f"proposals/{made['id']}/reject")) == (409, "conflict")


@pytest.mark.parametrize("slot", ["keys", "nothing"])
def test_a_slot_that_people_do_not_edit_is_refused(cast: Cast, slot: str) -> None:
    answer = cast("curator").post(f"cards/{ORDERS}/proposals", {"slot": slot, "text": "x"})
    assert problem(answer) == (422, "invalid_input")
    assert proposed(cast("curator"))


def test_the_chain_is_verified_by_auditors(cast: Cast) -> None:
    asked(cast("analyst"))
    verdict = good(cast("auditor").post("audit/verify"))
    assert (verdict["ok"], verdict["links"]) == (True, 1)
    assert problem(cast("analyst").post("audit/verify")) == (403, "not_permitted")


def test_the_audit_tells_auditors_of_refusals_and_readings_in_their_workspace_only(cast: Cast) -> None:
    analyst, auditor = cast("analyst"), cast("auditor")
    run = asked(analyst)["run_id"]
    assert problem(analyst.post("audit/verify")) == (403, "not_permitted")
    auditor.get(f"runs/{run}")
    told = good(auditor.get("audit/entries"))["entries"]
    assert [entry["kind"] for entry in told[:3]] == ["run_read", "denied", "run_ended"]
    assert told[1]["subject"] == "POST /api/v1/audit/verify"
    assert told[1]["details"]["capability"] == "verify_audit"
    older = good(auditor.get(f"audit/entries?before={told[1]['sequence']}"))["entries"]
    assert older == told[2:]
    assert run not in repr(good(cast("auditor", workspace="other").get("audit/entries")))
    assert SECRET not in repr(told)


@pytest.mark.parametrize(
    ("role", "offered"),
    [("analyst", ["asker"]), ("auditor", ["auditor"]), ("evaluator", ["evaluator"])],
)
def test_every_offered_audience_is_given_a_receipt_that_holds(cast: Cast, role: str, offered: list[str]) -> None:
    run_id = asked(cast("analyst"))["run_id"]
    reader = cast(role)
    assert good(reader.get(f"runs/{run_id}/audiences"))["audiences"] == offered
    for audience in ("asker", "owner", "auditor", "evaluator"):
        answer = reader.get(f"runs/{run_id}/receipt?audience={audience}")
        if audience in offered:
            assert runs.check_receipt(answer.content).ok
            good(answer)
        else:
            assert problem(answer)[0] in {403, 404}


def test_a_curator_takes_the_owners_receipt_of_a_run_of_their_own(cast: Cast) -> None:
    curator = cast("curator")
    run_id = asked(curator)["run_id"]
    assert good(curator.get(f"runs/{run_id}/audiences"))["audiences"] == ["asker", "owner"]
    assert runs.check_receipt(curator.get(f"runs/{run_id}/receipt?audience=owner").content).ok


def test_i_am_told_who_i_am_and_what_i_can_see(cast: Cast) -> None:
    me = good(cast("analyst").get("me"))
    assert (me["user"], me["workspace"], me["roles"]) == ("analyst_shop", "shop", ["analyst"])
    assert me["workspaces"] == [{"slug": "shop", "name": "Shop", "current": True}]
    assert "ask" in me["capabilities"]
    orders = next(t for t in me["sees"]["tables"] if t["table"] == ORDERS)
    assert (orders["row_scope"], orders["masked"]) == ("region is EMEA", ["customer_id"])
    assert "margin" not in me["sees"]["metrics"]
    assert MARGIN not in str(me)
    assert good(cast("evaluator").get("me"))["sees"] is None
    assert problem(cast("nobody").get("me")) == (403, "not_permitted")


def test_all_my_workspaces_are_listed_and_no_others(cast: Cast) -> None:
    analyst = cast("analyst")
    account, other = accounts.user("analyst_shop"), accounts.workspace("other")
    assert account is not None
    assert other is not None
    accounts.set_member(other.id, account.id, roles=["analyst"])
    listed = [(w["slug"], w["current"]) for w in good(analyst.get("me"))["workspaces"]]
    assert listed == [("other", False), ("shop", True)]
    assert [w["slug"] for w in good(cast("curator").get("me"))["workspaces"]] == ["shop"]


def test_a_revoked_token_opens_nothing_and_others_go_on(cast: Cast) -> None:
    first, second = cast("analyst"), cast("analyst")
    assert good(first.post("token/revoke")) == {"revoked": True}
    assert problem(first.get("me")) == (401, "not_signed_in")
    good(second.get("me"))


def test_a_suite_is_started_and_its_run_read_down_to_a_case(cast: Cast) -> None:
    evaluator = cast("evaluator")
    assert [(s["name"], s["cases"]) for s in good(evaluator.get("evals/suites"))] == [("shop", 2)]
    started = good(evaluator.post("evals/suites/shop/start"), 202)
    assert good(evaluator.get(f"evals/runs/{started['id']}"))["state"] == "queued"
    run_id = eval_finished("shop")
    run = good(evaluator.get(f"evals/runs/{run_id}"))
    assert (run["state"], run["done"], run["summary"]["counts"]["right"]) == ("finished", 2, 1)
    assert [(row["case_id"], row["outcome"]) for row in run["matrix"]] == [("one", "right"), ("two", "asked")]
    assert good(evaluator.get(f"evals/runs/{run_id}/cases/one"))["sql"] == "SELECT 2"
    assert problem(evaluator.get(f"evals/runs/{run_id}/cases/three")) == (404, "not_found")
    assert {r["id"] for r in good(evaluator.get("evals/runs"))} == {run_id, started["id"]}


def test_another_workspaces_things_look_like_missing_ones(cast: Cast) -> None:
    analyst, curator, _ = cast("analyst"), cast("curator"), cast("evaluator")
    session, eval_run = asked(analyst)["session_id"], eval_finished("shop")
    number, second = (proposed(curator, text)["id"] for text in ("One.", "Two."))
    pairs = (
        ("analyst", "get", f"conversations/{session}", f"conversations/{ABSENT}"),
        ("analyst", "get", "catalog/metrics/shop_orders", "catalog/metrics/nothing"),
        ("curator", "get", f"proposals/{number}", "proposals/999999999"),
        ("curator", "post", f"proposals/{number}/publish", "proposals/999999999/publish"),
        ("curator", "post", f"proposals/{second}/reject", "proposals/999999999/reject"),
        ("evaluator", "get", f"evals/runs/{eval_run}", f"evals/runs/{ABSENT}"),
        ("evaluator", "get", f"evals/runs/{eval_run}/cases/one", f"evals/runs/{ABSENT}/cases/one"),
        ("evaluator", "post", "evals/suites/shop/start", "evals/suites/nothing/start"),
    )
    for role, method, theirs, absent in pairs:
        stranger = cast(role, "other")
        foreign, missing = stranger.send(method, theirs), stranger.send(method, absent)
        assert problem(foreign) == (404, "not_found"), theirs
        assert problem(missing) == (404, "not_found"), absent
        words = [r.content.decode().replace("shop", "").replace("nothing", "") for r in (foreign, missing)]
        assert words[0] == words[1], theirs
        assert cast(role).send(method, theirs).status_code < 300, theirs


HOLDER = {
    Capability.SIGN_IN: "analyst",
    Capability.ASK: "analyst",
    Capability.READ_CATALOG: "analyst",
    Capability.READ_CARDS: "analyst",
    Capability.READ_OWN_RUNS: "analyst",
    Capability.CURATE_CARDS: "curator",
    Capability.CURATE_WORDS: "curator",
    Capability.VERIFY_AUDIT: "auditor",
    Capability.RUN_EVALS: "evaluator",
    Capability.EXPORT: "analyst",
    Capability.REQUEST_ACCESS: "analyst",
    Capability.ADMINISTER: "admin",
}
"""A role that holds the capability; `nobody` holds none."""


def test_every_route_refuses_who_lacks_its_capability_and_serves_who_holds_it(cast: Cast) -> None:
    needed = dict(_capabilities(get_resolver().url_patterns))
    run = asked(cast("analyst"))
    cast("evaluator")
    values = {"run_id": run["run_id"], "session_id": run["session_id"], "name": "", "table": ORDERS, "suite": "shop"}
    values |= {"version": "1", "case_id": "one", "option": "1"}
    for route in routes():
        capability = needed.get(route.path.removeprefix("/"))
        if capability is None:
            assert route.path == "/api/v1/token"
            continue
        filled = {
            **values,
            "name": "region" if "dimensions" in route.path else "shop_orders",
            "run_id": eval_finished("shop") if "/evals/" in route.path else run["run_id"],
            "proposal_id": _proposal_for(cast("curator"), route.path),
            "request_id": _request_for(route.path),
        }
        address = route.address(filled)
        address += "?word=turnover&means=orders" if address.endswith("/meant") else ""
        address += "?user=analyst_shop" if address.endswith("/as") else ""
        assert problem(cast("nobody").send(route.method, address)) == (403, "not_permitted"), address
        assert problem(cast("").send(route.method, address)) == (401, "not_signed_in"), address
        if not route.path.endswith(("/stream", "/choose")):
            allowed = cast(HOLDER[capability]).send(route.method, address, _body(route.path, run["run_id"]))
            assert allowed.status_code < 300, (address, allowed.content)
            assert faults(route, allowed) == []


def _request_for(path: str) -> str:
    """A waiting request for access where the address is about one."""
    if "request_id" not in path:
        return ""
    return str(policy.request_access(policy.principal("analyst_shop", "shop"), "the margin").id)


def _proposal_for(curator: Caller, path: str) -> str:
    """A proposal of the kind that the address is about, in the state that it needs; "" where it is about none."""
    if "proposal_id" not in path:
        return ""
    if "/words/" not in path:
        return str(proposed(curator, path)["id"])
    taught = TURNOVER | {"word": "sold " + path.rsplit("/", maxsplit=1)[-1].strip("{}").replace("_", " ")}
    made = good(curator.post("words/propose", taught), 201)
    if path.endswith("/withdraw"):
        good(curator.post(f"words/proposals/{made['id']}/publish"))
    return str(made["id"])


TURNOVER = {"kind": "synonym", "word": "turnover", "target_kind": "metric", "target": "shop_amount"}


def _body(path: str, run_id: str) -> dict[str, Any]:
    if path.endswith("/operate/act"):
        return {"action": "end", "runs": [run_id]}
    if path.endswith("/words/propose"):
        return TURNOVER
    if path.endswith("/proposals"):
        return {"slot": "grain", "text": "one row per paid order"}
    bodies = {"runs": {"question": "orders"}, "complete": {"text": "ord"}, "request": {"note": "the margin"}}
    bodies["decide"] = {"verdict": "decline", "reason": "not now"}
    return bodies.get(path.rsplit("/", maxsplit=1)[-1], {})


def _capabilities(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Any:
    """Each address as the description writes it, with the capability that its view declares."""
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _capabilities(pattern.url_patterns, path)
        elif path.startswith("api/"):
            yield path.replace("<str:", "{").replace(">", "}"), getattr(pattern.callback, "capability", None)


def test_an_address_that_leads_nowhere_is_a_problem_document(cast: Cast) -> None:
    for caller in (cast("analyst"), cast("")):
        for method in ("get", "post"):
            assert problem(caller.send(method, "nowhere/at/all")) == (404, "not_found")


EXPLAINED = "catalog/metrics/shop_amount/explanation?"


def test_an_explanation_follows_the_first_rows_and_drops_no_period(cast: Cast) -> None:
    analyst = cast("analyst")
    plain, first = (good(analyst.get(f"{EXPLAINED}by=region{more}"))["sql"] for more in ("", "&top=2"))
    assert "<= 2" not in plain
    assert "<= 2" in first
    for period in ("from=2025-05-01&to=2025-05-31", "compare=previous"):
        refused = analyst.get(EXPLAINED + period)
        assert problem(refused) == (422, "invalid_input")
        assert "period" in refused.json()["title"]


@pytest.mark.parametrize(
    "asked",
    [
        "from=May",
        "from=2025-05-01&to=2025-04-01",
        "compare=last_year",
        "top=-1",
        "top=three",
        "dialect=klingon",
        "metric=margin",
        "&".join(["by=region"] * 11),
        "&".join(["where=region+=+EMEA"] * 11),
    ],
)
def test_an_explanation_of_what_cannot_be_read_is_refused_and_not_shortened(cast: Cast, asked: str) -> None:
    assert problem(cast("analyst").get(EXPLAINED + asked)) == (422, "invalid_input")

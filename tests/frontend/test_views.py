"""The pages as a browser meets them: doors, forms, the stream and the receipt."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from dataagent.runs import service
from dataagent.runs.service.working import claim_and_work
from tests.frontend.conftest import Browsers
from tests.runs.people import SECRET, FakeWorld, answered, asked_back

ABSENT = "00000000-0000-4000-8000-000000000000"


def ask(client: Client, question: str = "net revenue", session: str = "") -> str:
    """The address of the new run."""
    response = client.post("/ask/", {"question": question, "session": session})
    assert response.status_code == 302
    return str(response["Location"])


def answered_run(client: Client, outcome: Any = answered) -> str:
    address = ask(client)
    assert claim_and_work("test", FakeWorld(outcome=outcome).machine())
    return address


def text(response: Any) -> str:
    return str(response.content.decode())


@pytest.mark.parametrize("path", ["/", "/ask/", "/catalog/", "/cards/", f"/runs/{ABSENT}/"])
def test_a_stranger_is_led_to_the_sign_in_and_back(browser: Browsers, path: str) -> None:
    response = browser("").get(path)
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=%2F")


def test_the_sign_in_lists_the_cast_in_the_demo_only(browser: Browsers, settings: Any) -> None:
    browser("analyst")
    assert 'value="analyst"' in text(browser("").get("/sign-in/"))
    settings.DEMO = False
    closed = browser("")
    assert 'value="analyst"' not in text(closed.get("/sign-in/"))
    assert closed.post("/sign-in/demo/", {"username": "analyst"}).status_code == 404


@pytest.mark.parametrize(("wanted", "led_to"), [("/catalog/", "/catalog/"), ("https://evil.example/", "/")])
def test_a_sign_in_leads_to_pages_of_this_site_only(browser: Browsers, wanted: str, led_to: str) -> None:
    browser("analyst")
    response = browser("").post("/sign-in/demo/", {"username": "analyst", "next": wanted})
    assert response["Location"] == led_to


def test_a_wrong_password_is_told_without_saying_what_was_wrong(browser: Browsers) -> None:
    browser("analyst")
    known, unknown = (
        browser("").post("/sign-in/", {"username": name, "password": "x"}) for name in ("analyst", "ghost")
    )
    assert (known.status_code, unknown.status_code) == (401, 401)
    assert "do not match" in text(known)


def test_a_sign_out_ends_the_session(browser: Browsers) -> None:
    client = browser("analyst")
    client.post("/sign-out/")
    assert client.get("/ask/").status_code == 302


def test_a_page_shows_only_places_that_the_role_opens(browser: Browsers) -> None:
    analyst, auditor = text(browser("analyst").get("/ask/")), text(browser("auditor").get("/audit/"))
    assert 'href="/audit/"' not in analyst
    assert 'href="/audit/"' in auditor
    assert 'href="/ask/"' not in auditor


def test_the_start_leads_to_the_first_open_place(browser: Browsers) -> None:
    assert browser("analyst").get("/")["Location"] == "/ask/"
    assert browser("auditor").get("/")["Location"] == "/catalog/"


@pytest.mark.parametrize(("role", "status"), [("auditor", 403), ("nobody", 403), ("analyst", 200)])
def test_asking_needs_its_capability(browser: Browsers, role: str, status: int) -> None:
    assert browser(role).get("/ask/").status_code == status


def test_a_question_becomes_a_run_and_its_page_an_answer(browser: Browsers) -> None:
    client = browser("analyst")
    address = ask(client)
    waiting = text(client.get(address))
    assert "waiting to start" in waiting
    assert claim_and_work("test", FakeWorld(outcome=answered).machine())
    done = text(client.get(address))
    assert "4\u202f711.5" in done
    assert "Read the receipt" in done


def test_a_clarification_is_answered_with_one_click(browser: Browsers) -> None:
    client = browser("analyst")
    address = answered_run(client, asked_back)
    assert 'name="choice" value="1"' in text(client.get(address))
    assert client.post(f"{address}choose/", {"choice": "1"})["Location"] == address
    assert claim_and_work("test", FakeWorld(outcome=asked_back).machine())
    assert "Read the receipt" in text(client.get(address))


def test_a_choice_that_is_none_is_refused_in_plain_words(browser: Browsers) -> None:
    client = browser("analyst")
    address = answered_run(client, asked_back)
    assert client.post(f"{address}choose/", {"choice": "7"}).status_code == 422
    assert client.post(f"{address}choose/", {}).status_code == 422


def test_a_run_can_be_cancelled(browser: Browsers) -> None:
    client = browser("analyst")
    address = ask(client)
    client.post(f"{address}cancel/")
    assert "You cancelled this question." in text(client.get(address))


def test_a_second_question_in_a_busy_conversation_waits_or_takes_its_place_as_the_person_says(
    browser: Browsers,
) -> None:
    client = browser("analyst")
    first = text(client.get(ask(client)))
    assert '<select name="meanwhile" form="ask">' in first
    session = re.findall(r'name="session" value="([^"]+)"', first)[0]
    second = {"question": "orders", "session": session}
    assert "waiting for the question before it" in text(
        client.post("/ask/", {**second, "meanwhile": "queue"}, follow=True)
    )
    assert "waiting to start" in text(client.post("/ask/", {**second, "meanwhile": "redirect"}, follow=True))


def test_a_conversation_that_takes_no_second_question_says_so_on_the_page(browser: Browsers) -> None:
    client = browser("analyst")
    session = re.findall(r'name="session" value="([^"]+)"', text(client.get(ask(client))))[0]
    second = {"question": "orders", "session": session, "meanwhile": "refuse"}
    assert "still working" in text(client.post("/ask/", second, follow=True))


@pytest.mark.parametrize("question", ["", "   ", "x" * 5000])
def test_a_question_that_cannot_be_taken_is_told_on_the_page(browser: Browsers, question: str) -> None:
    response = browser("analyst").post("/ask/", {"question": question}, follow=True)
    assert response.status_code == 200
    assert 'class="messages"' in text(response)


PARTS = ("", "events/", "receipt/", "receipt.json")


@pytest.mark.parametrize("part", PARTS)
def test_a_run_of_another_workspace_looks_like_a_missing_one(browser: Browsers, part: str) -> None:
    address = answered_run(browser("analyst"))
    stranger = browser("analyst", "other")
    theirs, absent = stranger.get(address + part), stranger.get(f"/runs/{ABSENT}/{part}")
    assert (theirs.status_code, absent.status_code) == (404, 404)
    assert without_tokens(theirs) == without_tokens(absent)
    assert browser("analyst").get(address + part).status_code == 200


@pytest.mark.parametrize("part", ["choose/", "cancel/"])
def test_nothing_can_be_done_to_a_run_of_another_workspace(browser: Browsers, part: str) -> None:
    address = answered_run(browser("analyst"), asked_back)
    assert browser("analyst", "other").post(address + part, {"choice": "0"}).status_code == 404
    assert browser("analyst").post(address + part, {"choice": "0"}).status_code == 302


def without_tokens(response: Any) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text(response))


def test_an_auditor_sees_how_it_was_answered_and_not_the_data(browser: Browsers) -> None:
    address = answered_run(browser("analyst"))
    seen = text(browser("auditor").get(address))
    assert "4\u202f711" not in seen
    assert SECRET not in seen
    assert "SELECT" in seen
    assert 'id="question"' not in seen


def test_the_audit_page_tells_refusals_and_readings_and_the_chain_holds(browser: Browsers) -> None:
    address = answered_run(browser("analyst"))
    auditor = browser("auditor")
    auditor.get(address)
    assert browser("nobody").get("/ask/").status_code == 403
    page = text(auditor.post("/audit/"))
    assert "The chain holds" in page
    for part in ("Somebody else&#x27;s run read", "A run ended", "GET /ask/", "The policy changed"):
        assert part in page, part
    assert SECRET not in page


def test_the_receipt_page_names_its_parts_and_the_file_verifies(browser: Browsers) -> None:
    client = browser("analyst")
    address = answered_run(client)
    page = " ".join(re.sub(r"<[^>]+>", "", text(client.get(f"{address}receipt/"))).split())
    for part in ("region is EMEA", "net_revenue", "Orders", "SELECT 1 WHERE TRUE", "manage.py receipts verify"):
        assert part in page, part
    file = client.get(f"{address}receipt.json")
    assert "attachment" in file["Content-Disposition"]
    assert service.check_receipt(file.content).ok
    assert not service.check_receipt(file.content.replace(b"a", b"b", 1)).ok


def test_a_receipt_for_auditors_goes_to_auditors_only(browser: Browsers) -> None:
    address = answered_run(browser("analyst"))
    assert browser("analyst").get(f"{address}receipt/?for=auditor").status_code == 403
    assert "Withheld" in text(browser("auditor").get(f"{address}receipt/?for=auditor"))
    assert "Withheld" in text(browser("auditor").get(f"{address}receipt/"))


def test_an_auditor_verifies_the_chain(browser: Browsers) -> None:
    answered_run(browser("analyst"))
    assert "The chain holds: 1 link" in text(browser("auditor").post("/audit/"))
    assert browser("analyst").post("/audit/").status_code == 403


def test_every_response_says_what_a_browser_may_run(browser: Browsers) -> None:
    for response in (browser("").get("/sign-in/"), browser("analyst").get("/ask/"), browser("").get("/nowhere/")):
        policy = response["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


@pytest.mark.parametrize("role", ["", "analyst"])
def test_a_missing_page_says_so_without_internals(browser: Browsers, role: str) -> None:
    response = browser(role).get("/nowhere/")
    assert response.status_code == 404
    assert "There is no such page" in text(response)
    assert "urlconf" not in text(response).lower()


def test_an_internal_error_shows_plain_words(browser: Browsers, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret detail")

    client = browser("analyst")
    client.raise_request_exception = False
    monkeypatch.setattr(service, "sessions", broken)
    response = client.get("/ask/")
    assert response.status_code == 500
    assert "The fault is on our side" in text(response)
    assert "secret detail" not in text(response)


def test_a_form_without_its_token_is_not_taken(browser: Browsers) -> None:
    browser("analyst")
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/sign-in/demo/", {"username": "analyst"})
    assert response.status_code == 403
    assert "form has expired" in text(response)


@pytest.mark.parametrize(("theme", "kept"), [("dark", "dark"), ("neon", "auto")])
def test_the_chosen_theme_is_remembered_if_it_is_one(browser: Browsers, theme: str, kept: str) -> None:
    client = browser("")
    client.post("/theme/", {"theme": theme})
    assert f'data-theme="{kept}"' in text(client.get("/sign-in/"))


def test_a_user_switches_to_their_own_workspaces_only(browser: Browsers) -> None:
    client = browser("analyst")
    assert client.post("/workspace/", {"workspace": "other"}).status_code == 404
    assert client.post("/workspace/", {"workspace": "demo"}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_the_stream_goes_on_after_the_last_event_and_ends_with_the_document(browser: Browsers) -> None:
    client = browser("analyst")
    address = answered_run(client)
    whole = async_to_sync(streamed)(client, f"{address}events/", {})
    rest = async_to_sync(streamed)(client, f"{address}events/", {"Last-Event-ID": "2"})
    assert numbers(whole)[:3] == [1, 2, 3]
    assert numbers(rest)[0] == 3
    for body in (whole, rest):
        assert body.count("event: document") == 1
        assert body.rstrip().endswith("data:")
        assert "4\u202f711.5" in body


def numbers(body: str) -> list[int]:
    return [int(line[4:]) for line in body.splitlines() if line.startswith("id: ")]


async def streamed(client: Client, path: str, headers: dict[str, str]) -> str:
    same = AsyncClient()
    same.cookies = client.cookies
    response: Any = await same.get(path, headers=headers)
    assert response["Content-Type"] == "text/event-stream"
    return b"".join([piece async for piece in response.streaming_content]).decode()


def test_a_result_is_offered_and_taken_as_a_file_by_who_may_export(browser: Browsers) -> None:
    exporter = browser("exporter")
    address = answered_run(exporter)
    assert f'href="{address}result.csv" download' in text(exporter.get(address))
    response = exporter.get(f"{address}result.csv")
    assert text(response) == f'"Net revenue"\r\n{SECRET}\r\n'
    assert response["Content-Disposition"].startswith("attachment; filename=")


def test_a_result_is_neither_offered_nor_given_to_who_may_not_export(browser: Browsers) -> None:
    analyst = browser("analyst")
    address = answered_run(analyst)
    assert "result.csv" not in text(analyst.get(address))
    assert analyst.get(f"{address}result.csv").status_code == 403


def test_a_result_of_somebody_else_is_as_absent(browser: Browsers) -> None:
    address = answered_run(browser("exporter"))
    assert browser("auditing_exporter").get(f"{address}result.csv").status_code == 404
    assert browser("auditing_exporter").get(f"/runs/{ABSENT}/result.csv").status_code == 404

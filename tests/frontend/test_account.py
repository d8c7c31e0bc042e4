"""One's own sign-in: a changed password and a sign-out everywhere end what others hold; a token is shown once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from dataagent.accounts import service as accounts
from tests.frontend.conftest import Browsers

OLD, NEW = "a long pass phrase", "another long phrase"


@pytest.fixture
def boss(browser: Browsers) -> None:
    for slug in ("demo", "other"):
        place = accounts.workspace(slug)
        assert place is not None
        account = accounts.user("boss") or accounts.create_user("boss", password=OLD)
        accounts.set_member(place.id, account.id, roles=("analyst",))


def signed_in(password: str = OLD) -> Client:
    client = Client()
    assert client.post("/sign-in/", {"username": "boss", "password": password}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/ask/").status_code == 200


def token_of(client: Client, **given: str) -> Any:
    return client.post("/account/tokens/", {"name": "<b>nightly</b>", "days": "30", **given})


def text_of(response: Any) -> str:
    (found,) = re.findall(r"dat_\d+_[\w-]{40,}", response.content.decode())
    return str(found)


def opens(token: str) -> bool:
    return Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 200


def test_signing_out_everywhere_ends_every_session_and_token(boss: None) -> None:
    here, there = signed_in(), signed_in()
    there.post("/workspace/", {"workspace": "other"})
    tokens = [text_of(token_of(client)) for client in (here, there)]
    assert [opens(t) for t in tokens] == [True, True]
    assert here.post("/account/end/")["Location"] == "/sign-in/"
    assert [is_in(here), is_in(there)] == [False, False]
    assert [opens(t) for t in tokens] == [False, False]
    assert is_in(signed_in())


def test_signing_out_in_one_place_leaves_the_others(boss: None) -> None:
    here, there = signed_in(), signed_in()
    here.post("/sign-out/")
    assert [is_in(here), is_in(there)] == [False, True]


def test_a_changed_password_keeps_this_session_under_a_new_key_and_ends_the_others(boss: None) -> None:
    here, there = signed_in(), signed_in()
    token, key = text_of(token_of(here)), here.cookies["sessionid"].value
    assert here.post("/account/password/", {"old": OLD, "new": NEW, "again": NEW}).status_code == 302
    assert [is_in(here), is_in(there), opens(token)] == [True, False, False]
    assert here.cookies["sessionid"].value != key
    assert Client().post("/sign-in/", {"username": "boss", "password": OLD}).status_code == 401
    assert is_in(signed_in(NEW))


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"old": "wrong", "new": NEW, "again": NEW}, "old password is not right"),
        ({"old": OLD, "new": NEW, "again": f"{NEW}."}, "not the same both times"),
        ({"old": OLD, "new": "short", "again": "short"}, "at least 12 characters"),
        ({"old": OLD, "new": "qwerty123456", "again": "qwerty123456"}, "too common"),
        ({"old": OLD, "new": OLD, "again": OLD}, "Choose a new password"),
        ({}, "old password is not right"),
    ],
)
def test_a_password_that_cannot_be_changed_says_why_and_ends_nothing(
    boss: None, form: dict[str, str], words: str
) -> None:
    client = signed_in()
    refused = client.post("/account/password/", form)
    assert refused.status_code == 422
    assert words in refused.content.decode()
    assert is_in(client)
    assert NEW not in refused.content.decode()


def test_guessing_the_old_password_in_a_session_left_open_is_stopped(boss: None) -> None:
    client = signed_in()
    told = [client.post("/account/password/", {"old": f"guess {n}"}).status_code for n in range(6)]
    assert told == [422] * 5 + [429]


def test_a_token_is_shown_once_and_kept_as_a_digest(boss: None) -> None:
    client = signed_in()
    made = token_of(client)
    token = text_of(made)
    assert (made.status_code, made["Cache-Control"]) == (201, "no-store")
    again = client.get("/account/").content.decode()
    assert token not in again
    assert token.rsplit("_", 1)[1][:12] not in again
    assert "&lt;b&gt;nightly&lt;/b&gt;" in again
    assert opens(token)


def test_a_token_is_ended_by_its_owner_alone_and_looks_absent_to_others(boss: None, browser: Browsers) -> None:
    client, other = signed_in(), browser("analyst")
    token = text_of(token_of(client))
    (number,) = re.findall(r"/account/tokens/(\d+)/end/", client.get("/account/").content.decode())
    foreign, missing = (other.post(f"/account/tokens/{n}/end/") for n in (number, 987654321))
    assert (foreign.status_code, missing.status_code) == (404, 404)
    assert opens(token)
    assert client.post(f"/account/tokens/{number}/end/").status_code == 302
    assert not opens(token)


@pytest.mark.parametrize("given", [{"name": " "}, {"name": "x" * 101}, {"days": "0"}, {"days": "91"}, {"days": "-1"}])
def test_a_token_needs_a_name_and_an_end(boss: None, given: dict[str, str]) -> None:
    assert token_of(signed_in(), **given).status_code == 422


def test_a_demo_sign_in_has_no_password_to_change(browser: Browsers) -> None:
    client = browser("analyst")
    assert b"Old password" not in client.get("/account/").content
    assert client.post("/account/password/", {"old": "", "new": NEW, "again": NEW}).status_code == 422
    assert client.get("/ask/").status_code == 200

"""Signing in: with a password anywhere, without one only as a demo user in demo mode."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher as UnsaltedHasher
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import Client, RequestFactory

from dataagent.accounts import service
from dataagent.accounts.models import User
from dataagent.errors import ShownError


class Counting(UnsaltedHasher):
    """Counts how often a password is hashed, which is what takes the time of a sign-in."""

    algorithm = "counting"
    hashed = 0

    def encode(self, password: str, salt: str) -> str:
        Counting.hashed += 1
        return super().encode(password, salt).replace("md5", "counting", 1)


@pytest.fixture
def request_(db: None, rf: RequestFactory) -> HttpRequest:
    request = rf.get("/")
    request.session = SessionStore()
    request.user = AnonymousUser()
    return request


@pytest.fixture
def cast(db: None) -> None:
    demo = service.create_workspace("demo", name="Demo")
    service.set_member(demo.id, service.create_user("analyst").id, roles=["analyst"])
    service.set_member(demo.id, service.create_user("boss", password="a long pass phrase").id, roles=["admin"])


def test_a_demo_user_signs_in_without_a_password_in_demo_mode(cast: None, request_: HttpRequest, settings: Any) -> None:
    settings.DEMO = True
    assert service.sign_in_demo(request_, "analyst").username == "analyst"
    assert request_.session[service.SESSION_WORKSPACE] == "demo"


def test_the_demo_opens_before_workspaces_that_come_first_by_name(
    cast: None, request_: HttpRequest, settings: Any
) -> None:
    settings.DEMO = True
    acme = service.create_workspace("acme", name="Acme")
    analyst = service.member("analyst", "demo")
    assert analyst is not None
    service.set_member(acme.id, analyst.account.id, roles=["analyst"])
    service.sign_in_demo(request_, "analyst")
    assert request_.session[service.SESSION_WORKSPACE] == "demo"
    service.set_member(acme.id, service.create_user("guest").id, roles=["analyst"])
    service.sign_in_demo(request_, "guest")
    assert request_.session[service.SESSION_WORKSPACE] == "acme"


def test_nobody_signs_in_without_a_password_outside_demo_mode(cast: None, request_: HttpRequest, settings: Any) -> None:
    settings.DEMO = False
    with pytest.raises(ShownError):
        service.sign_in_demo(request_, "analyst")
    assert service.demo_members() == ()


def test_an_account_with_a_password_is_never_a_demo_user(cast: None, request_: HttpRequest, settings: Any) -> None:
    settings.DEMO = True
    with pytest.raises(ShownError):
        service.sign_in_demo(request_, "boss")
    assert [m.account.username for m in service.demo_members()] == ["analyst"]


def test_the_right_password_signs_in(cast: None, request_: HttpRequest) -> None:
    assert service.sign_in(request_, "boss", "a long pass phrase").username == "boss"


def test_a_wrong_password_and_an_unknown_name_look_the_same(cast: None, request_: HttpRequest) -> None:
    words = []
    for name in ("boss", "no such name"):
        with pytest.raises(ShownError) as refused:
            service.sign_in(request_, name, "wrong")
        words.append((refused.value.code, refused.value.message))
    assert words[0] == words[1]


def test_a_passwordless_account_cannot_sign_in_with_an_empty_password(cast: None, request_: HttpRequest) -> None:
    with pytest.raises(ShownError):
        service.sign_in(request_, "analyst", "")


def test_a_workspace_is_chosen_only_by_its_members(cast: None, request_: HttpRequest, settings: Any) -> None:
    settings.DEMO = True
    service.create_workspace("other", name="Other")
    service.sign_in_demo(request_, "analyst")
    assert service.choose_workspace(request_, "demo").slug == "demo"
    with pytest.raises(ShownError) as foreign:
        service.choose_workspace(request_, "other")
    with pytest.raises(ShownError) as absent:
        service.choose_workspace(request_, "no-such-place")
    assert foreign.value.message == absent.value.message


@pytest.mark.parametrize("name", ["\0", "analyst\0", "\0" * 400])
def test_a_name_that_no_database_holds_is_one_that_nobody_has(
    cast: None, request_: HttpRequest, settings: Any, name: str
) -> None:
    settings.DEMO = True
    for attempt, code in ((service.sign_in_demo, "not_found"), (service.sign_in, "not_signed_in")):
        with pytest.raises(ShownError) as refused:
            attempt(request_, name, *(["a long pass phrase"] if attempt is service.sign_in else []))
        assert refused.value.code == code


def test_a_sign_in_takes_as_long_for_a_name_that_is_not_there(db: None, request_: HttpRequest, settings: Any) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.Counting"]
    service.create_user("boss", password="a long pass phrase")
    service.create_user("open")
    service.create_user("gone", password="a long pass phrase")
    User.objects.filter(username="gone").update(is_active=False)
    work = {}
    for name in ("boss", "open", "gone", "no such name"):
        before = Counting.hashed
        with pytest.raises(ShownError, match="do not match"):
            service.sign_in(request_, name, "wrong")
        work[name] = Counting.hashed - before
    assert set(work.values()) == {1}


def test_a_sign_in_leaves_the_session_that_somebody_may_have_planted(db: None, settings: Any) -> None:
    service.set_member(
        service.create_workspace("demo", name="Demo").id,
        service.create_user("boss", password="a long pass phrase").id,
        roles=["admin"],
    )
    victim = Client()
    planted = SessionStore()
    planted["from"] = "somebody else"
    planted.create()
    victim.cookies["sessionid"] = planted.session_key
    victim.post("/sign-in/", {"username": "boss", "password": "a long pass phrase"})
    assert victim.cookies["sessionid"].value != planted.session_key
    assert not SessionStore().exists(planted.session_key)

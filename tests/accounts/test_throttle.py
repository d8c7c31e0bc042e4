"""Passwords cannot be guessed at leisure, and nobody is locked out for long."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dataagent.accounts import devices, service, store, throttle

PASSWORD = "a long pass phrase"
Guess = Callable[..., Any]


@pytest.fixture
def boss(db: None) -> str:
    place = service.create_workspace("demo", name="Demo")
    account = service.create_user("boss", password=PASSWORD)
    service.set_member(place.id, account.id, roles=["admin"])
    return account.username


def page(name: str, password: str, address: str = "10.0.0.1") -> Any:
    return Client(REMOTE_ADDR=address).post("/sign-in/", {"username": name, "password": password})


def browser_of(name: str, address: str = "10.0.0.9") -> Client:
    """A browser in which that name has signed in before, and is signed out."""
    client = Client(REMOTE_ADDR=address)
    assert client.post("/sign-in/", {"username": name, "password": PASSWORD}).status_code == 302
    client.post("/sign-out/")
    return client


def api(name: str, password: str, address: str = "10.0.0.1") -> Any:
    body = {"username": name, "password": password, "workspace": "demo"}
    return Client(REMOTE_ADDR=address).post("/api/v1/token", body, content_type="application/json")


@pytest.mark.parametrize("door", [page, api])
def test_guessing_one_password_is_stopped_at_both_doors(boss: str, door: Guess) -> None:
    told = [door(boss, "wrong").status_code for _ in range(throttle.PER_NAME_AND_ADDRESS + 1)]
    assert told == [401] * throttle.PER_NAME_AND_ADDRESS + [429]
    for other in (page, api):
        refused = other("BOSS", PASSWORD)
        assert refused.status_code == 429
        assert b"Too many failed sign-ins." in refused.content
    assert page(boss, PASSWORD, "10.0.0.2").status_code == 302


def test_guessing_from_many_addresses_is_stopped(boss: str) -> None:
    told = [api(boss, "wrong", f"10.0.1.{n}").status_code for n in range(throttle.PER_NAME + 1)]
    assert told[-2:] == [401, 429]


def test_one_password_on_many_names_is_stopped(db: None, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    told = [api(f"user{n}", "Spring2025").status_code for n in range(throttle.PER_ADDRESS + 1)]
    assert told[-2:] == [401, 429]


def test_the_right_password_clears_the_count_and_may_be_used_often(boss: str) -> None:
    for _ in range(throttle.PER_NAME_AND_ADDRESS - 1):
        page(boss, "wrong")
    assert {page(boss, PASSWORD).status_code for _ in range(throttle.PER_NAME_AND_ADDRESS + 2)} == {302}
    assert page(boss, "wrong").status_code == 401


def test_refused_attempts_do_not_prolong_the_wait(boss: str) -> None:
    past = timezone.now() - throttle.WINDOW + timedelta(seconds=1)
    name = service._digest(boss)
    for _ in range(throttle.PER_NAME_AND_ADDRESS):
        store.add_attempt(name, "10.0.0.1", at=past, since=past)
    assert page(boss, PASSWORD).status_code == 429
    later = past + throttle.WINDOW + timedelta(seconds=1)
    _, attempts = store.add_attempt(name, "10.0.0.1", at=later, since=later - throttle.WINDOW)
    assert not throttle.too_many(attempts)
    assert attempts.name_and_address == 1


def test_an_unknown_name_is_throttled_like_a_known_one(boss: str) -> None:
    told = [[api(name, "wrong").status_code for _ in range(7)] for name in (boss, "no such name")]
    assert told[0] == told[1]


def test_strangers_who_guess_do_not_lock_the_owner_out_of_a_known_browser(boss: str) -> None:
    known = browser_of(boss)
    for n in range(throttle.PER_NAME + 1):
        refused = api(boss, "wrong", f"10.0.1.{n}")
    assert refused.status_code == 429
    assert page(boss, PASSWORD, "10.0.2.1").status_code == 429
    assert known.post("/sign-in/", {"username": boss, "password": PASSWORD}).status_code == 302


def test_a_known_browser_is_good_for_its_own_name_and_for_few_guesses(boss: str) -> None:
    service.create_user("chief", password=PASSWORD)
    known = browser_of(boss)
    told = [known.post("/sign-in/", {"username": boss, "password": "wrong"}).status_code for _ in range(7)]
    assert told == [401] * 5 + [429] * 2
    for _ in range(throttle.PER_NAME_AND_ADDRESS):
        page("chief", "wrong", "10.0.0.9")
    assert known.post("/sign-in/", {"username": "chief", "password": PASSWORD}).status_code == 429


def test_a_mark_is_good_for_one_name_and_a_time_under_our_key() -> None:
    now, name = timezone.now(), "a1b2"
    mark = devices.new_mark("key", name, "f00d", now=now)
    assert devices.device_in("key", mark, name, now=now + timedelta(days=179)) == "device f00d"
    others = (("key", mark, "c3d4", 0), ("other key", mark, name, 0), ("key", mark, name, 181))
    for key, given, who, days in others:
        assert devices.device_in(key, given, who, now=now + timedelta(days=days)) == ""


@pytest.mark.parametrize("mark", ["", "x", "f00d.1.", "f00d.99999999999.0", "\0", "ü.1.ü", "\ud800.1.0"])
def test_a_mark_that_is_not_ours_is_no_mark(mark: str) -> None:
    assert devices.device_in("key", mark, "a1b2", now=timezone.now()) == ""


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "10.0.0.1"),
        ("", ""),
        ("x" * 99, "x" * 45),
    ],
)
def test_one_subscriber_of_ipv6_is_one_address(address: str, place: str) -> None:
    assert throttle.place_of(address) == place

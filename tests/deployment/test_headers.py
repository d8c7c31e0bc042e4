"""What browsers are told with every response, in the demo and in production, and how requests that fail early end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as real
from django.test import Client

from dataagent.accounts import service as accounts
from tests.frontend.conftest import browser  # noqa: F401 (a fixture)

KEY = "k9Jq2Xv7Lr4Tz8Wn1Bc6Md3Hf5Gs0Pa-Ye_UoIiEeRrTtYyUuOo"
NAMES = (
    "DEMO",
    "ALLOWED_HOSTS",
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SESSION_COOKIE_NAME",
    "CSRF_COOKIE_NAME",
    "SECURE_SSL_REDIRECT",
    "SECURE_HSTS_SECONDS",
    "SECURE_PROXY_SSL_HEADER",
)
EVERYWHERE = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@pytest.fixture
def production(settings: Any, tmp_path: Any) -> None:
    """The settings that a production of that name would really have."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATAAGENT_MODE": "production",
        "DATAAGENT_HOME": str(tmp_path),
        "ALLOWED_HOSTS": "data.example.com",
        "SECRET_KEY": KEY,
    }
    code = (
        "import json; from dataagent import settings as s; from django.conf import global_settings as g;"
        f"print(json.dumps({{n: getattr(s, n, getattr(g, n, None)) for n in {NAMES}}}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=real.BASE_DIR, env=environment, capture_output=True, text=True, check=True
    )
    for name, value in json.loads(ended.stdout).items():
        setattr(settings, name, tuple(value) if name == "SECURE_PROXY_SSL_HEADER" else value)


@pytest.mark.parametrize("path", ["/sign-in/", "/ask/", "/nowhere/", "/api/v1/me", "/api/v1/schema", "/api/v1/nowhere"])
def test_every_response_says_what_a_browser_may_do_with_it(browser: Any, path: str) -> None:  # noqa: F811
    headers = browser("analyst").get(path).headers
    assert {name: headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert "camera=()" in headers["Permissions-Policy"]


def test_a_static_file_may_be_kept_and_is_no_page(db: None) -> None:
    response = Client().get("/static/frontend/css/tokens.css")
    assert response.status_code == 200
    assert "no-store" not in response["Cache-Control"]
    assert response["X-Content-Type-Options"] == "nosniff"


def test_production_behind_a_proxy_sends_cookies_that_stay_with_this_host_and_https(db: None, production: None) -> None:
    place = accounts.create_workspace("shop", name="Shop")
    boss = accounts.create_user("boss", password="a long pass phrase")
    accounts.set_member(place.id, boss.id, roles=["admin"])
    behind_tls = Client(HTTP_HOST="data.example.com", HTTP_X_FORWARDED_PROTO="https")
    page = behind_tls.get("/sign-in/")
    assert page["Strict-Transport-Security"].startswith("max-age=31536000")
    behind_tls.post("/sign-in/", {"username": "boss", "password": "a long pass phrase"})
    for name, same_site in (("__Host-sessionid", "Lax"), ("__Host-csrftoken", "Lax")):
        cookie = behind_tls.cookies[name]
        assert cookie["secure"]
        assert cookie["httponly"]
        assert (cookie["samesite"], cookie["path"], cookie["domain"]) == (same_site, "/", "")


def test_production_sends_plain_requests_to_https_and_knows_only_its_hosts(db: None, production: None) -> None:
    moved = Client(HTTP_HOST="data.example.com").get("/sign-in/")
    assert (moved.status_code, moved["Location"]) == (301, "https://data.example.com/sign-in/")
    for host in ("evil.example", "data.example.com.evil.example", "data.example.com@evil.example"):
        client = Client(HTTP_HOST=host, HTTP_X_FORWARDED_PROTO="https")
        assert client.get("/sign-in/").status_code == 400
    forwarded = Client(HTTP_HOST="data.example.com", HTTP_X_FORWARDED_PROTO="https", HTTP_X_FORWARDED_HOST="evil")
    assert b"evil" not in forwarded.get("/sign-in/").content


@pytest.mark.parametrize(("path", "media"), [("/ask/", "text/html"), ("/api/v1/me", "application/problem+json")])
def test_an_unknown_host_is_told_nothing_in_the_words_of_the_door(db: None, path: str, media: str) -> None:
    response = Client(HTTP_HOST="evil.example").get(path)
    assert response.status_code == 400
    assert response["Content-Type"].split(";")[0] == media
    assert b"evil.example" not in response.content
    assert b"ALLOWED_HOSTS" not in response.content


def test_a_page_that_takes_no_such_request_says_so_in_plain_words(browser: Any) -> None:  # noqa: F811
    client = browser("analyst")
    for response in (client.put("/ask/"), client.get("/ask/complete/"), client.delete("/runs/x/")):
        assert response.status_code == 405
        assert response["Allow"]
        assert "does not take that kind of request" in response.content.decode()


def test_what_breaks_before_the_api_is_reached_is_a_problem_without_internals(
    browser: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("secret detail")

    client = browser("analyst")
    client.raise_request_exception = False
    monkeypatch.setattr("dataagent.policy.service.principal_of_request_user", broken)
    response = client.get("/api/v1/me")
    assert (response.status_code, response.json()["code"]) == (500, "internal_error")
    assert b"secret detail" not in response.content

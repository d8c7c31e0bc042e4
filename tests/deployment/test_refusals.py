"""An unsafe installation does not start, and says why in a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings as real
from django.test import Client

from dataagent.accounts import service as accounts
from dataagent.apps import reasons_not_to_start
from dataagent.deployment import Deployment, problems
from dataagent.errors import ShownError
from dataagent.management.preparing import prepare_demo

KEY = "k9Jq2Xv7Lr4Tz8Wn1Bc6Md3Hf5Gs0Pa-Ye_UoIiEeRrTtYyUuOo"
SAFE = Deployment(
    mode="production", secret_key=KEY, allowed_hosts="data.example.com", embedded=False, embedded_allowed=False
)


def test_a_safe_production_has_no_problem() -> None:
    assert list(problems(SAFE)) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"secret_key": ""}, "generated"),
        ({"secret_key": "short"}, "too weak"),
        ({"secret_key": "a" * 80}, "too weak"),
        ({"embedded": True}, "DATAAGENT_ALLOW_EMBEDDED"),
        ({"allowed_hosts": "localhost,127.0.0.1,[::1]"}, "ALLOWED_HOSTS"),
        ({"allowed_hosts": " , "}, "ALLOWED_HOSTS"),
        ({"mode": "prodution"}, "demo or production"),
        ({"mode": "Production"}, "demo or production"),
    ],
)
def test_each_unsafe_setting_is_one_problem(change: dict[str, Any], words: str) -> None:
    (found,) = problems(replace(SAFE, **change))
    assert words in found[1]


def test_production_may_run_embedded_where_that_is_said() -> None:
    assert list(problems(replace(SAFE, embedded=True, embedded_allowed=True))) == []


def test_a_demo_needs_nothing() -> None:
    assert list(problems(replace(SAFE, mode="demo", secret_key="", embedded=True, allowed_hosts=""))) == []


def test_an_account_without_a_password_stops_production(db: None, settings: Any) -> None:
    settings.DEPLOYMENT = SAFE
    accounts.create_user("boss", password="a long pass phrase")
    assert reasons_not_to_start() == ()
    accounts.create_user("analyst")
    (reason,) = reasons_not_to_start()
    assert reason.startswith("These accounts have no password: analyst.")


def test_a_demo_is_made_of_such_accounts(db: None) -> None:
    accounts.create_user("analyst")
    assert reasons_not_to_start() == ()


def test_demo_data_do_not_load_in_production(db: None, settings: Any) -> None:
    settings.DEMO = False
    with pytest.raises(ShownError, match="demo mode only"):
        prepare_demo(lambda _: None)


def test_the_demo_sign_in_is_not_there_in_production(db: None, settings: Any) -> None:
    place = accounts.create_workspace("demo", name="Demo")
    accounts.set_member(place.id, accounts.create_user("analyst").id, roles=["analyst"])
    asked = {"username": "analyst"}
    assert Client().post("/sign-in/demo/", asked).status_code == 302
    settings.DEMO = False
    assert Client().post("/sign-in/demo/", asked).status_code == 404
    assert b"analyst" not in Client().get("/sign-in/").content
    token = Client().post("/api/v1/token", {"username": "analyst"}, content_type="application/json")
    assert token.status_code == 401


@pytest.mark.parametrize(
    ("mode", "code", "words"),
    [("production", 1, "Set ALLOWED_HOSTS"), ("prod", 1, "demo or production"), ("demo", 0, "")],
)
def test_commands_and_the_web_application_refuse(mode: str, code: int, words: str, tmp_path: Any) -> None:
    environment = {"PATH": os.environ["PATH"], "DATAAGENT_MODE": mode, "DATAAGENT_HOME": str(tmp_path)}
    # A database that is not there: what is refused is refused by the settings alone.
    environment |= {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "SECRET_KEY": KEY}
    for command in (["manage.py", "check"], ["-c", "import dataagent.asgi"]):
        ended = subprocess.run(
            [sys.executable, *command], cwd=real.BASE_DIR, env=environment, capture_output=True, text=True, check=False
        )
        assert (ended.returncode, words in ended.stderr) == (code, True), ended.stderr
        assert "Traceback" not in ended.stderr


def test_production_speaks_https_only(tmp_path: Any) -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS")
    code = f"from dataagent import settings as s; print([bool(getattr(s, n)) for n in {names}])"
    found = {}
    for mode in ("demo", "production"):
        environment = {"PATH": os.environ["PATH"], "DATAAGENT_MODE": mode, "DATAAGENT_HOME": str(tmp_path)}
        ended = subprocess.run(
            [sys.executable, "-c", code],
            cwd=real.BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        found[mode] = ended.stdout.strip()
    assert found == {"demo": str([False] * 4), "production": str([True] * 4)}


def test_settings_that_cannot_be_read_are_one_sentence(tmp_path: Any) -> None:
    environment = {"PATH": os.environ["PATH"], "DATABASE_URL": "mysql://x", "DATAAGENT_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "manage.py", "doctor"],
        cwd=real.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert ended.stderr.startswith("The settings cannot be used: ")
    assert len(ended.stderr.splitlines()) == 1

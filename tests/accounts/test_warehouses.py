"""Logins of warehouses: sealed in the database, opened for the connection alone, never shown again."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from dataagent.accounts import credentials, service
from dataagent.accounts.credentials import CredentialError, key_text, keys_of, seal, unseal
from dataagent.accounts.models import KeptWarehouse
from dataagent.accounts.service import warehouses
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.warehouse import pool
from dataagent.warehouse.port import WarehouseFault

SECRET = "s3cret-of-the-reader"
URL = f"postgresql://reader:{SECRET}@127.0.0.1:1/shop?sslmode=disable"
KEY, OTHER = b"k" * 32, b"o" * 32
NONCE = b"n" * 12
POLICY = """version: "1"
roles:
  admin: {capabilities: [sign_in, administer]}
  analyst: {capabilities: [sign_in, ask]}
"""


def test_what_is_sealed_opens_with_its_key_for_its_use_alone() -> None:
    closed = seal(KEY, SECRET, about="1", nonce=NONCE)
    assert SECRET not in closed
    assert unseal((OTHER, KEY), closed, about="1") == SECRET
    for keys, about in (((OTHER,), "1"), ((KEY,), "2"), ((), "1")):
        with pytest.raises(CredentialError):
            unseal(keys, closed, about=about)


@pytest.mark.parametrize("place", [0, 5, 20, 40, -2])
def test_what_was_changed_does_not_open(place: int) -> None:
    closed = seal(KEY, SECRET, about="1", nonce=NONCE)
    changed = list(closed)
    changed[place] = "A" if changed[place] != "A" else "B"
    with pytest.raises(CredentialError) as told:
        unseal((KEY,), "".join(changed), about="1")
    assert SECRET not in str(told.value)


@pytest.mark.parametrize("text", ["", " ", "short", key_text(b"k" * 31), f"{key_text(KEY)} x", "ü" * 43])
def test_a_key_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(CredentialError):
        keys_of(text)
    assert keys_of(f"{key_text(KEY)}\n{key_text(OTHER)} ") == (KEY, OTHER)


@pytest.fixture
def shops(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workspaces with an admin each, and the keys in a file of their own."""
    settings.HOME = tmp_path / "home"
    settings.EMBEDDED = True
    monkeypatch.delenv("DATAAGENT_CREDENTIAL_KEYS", raising=False)
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    for slug in ("shop", "other"):
        place = service.create_workspace(slug, name=slug)
        policy.load_policy(place.id, tmp_path / "policy.yaml")
        for role in ("admin", "analyst"):
            service.set_member(place.id, service.create_user(f"{role}_{slug}").id, roles=[role])


def run(*arguments: str, given: str = "", monkeypatch: pytest.MonkeyPatch | None = None) -> str:
    out = io.StringIO()
    if monkeypatch is not None:
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
    call_command("warehouse", *arguments, stdout=out)
    return out.getvalue()


def test_an_admin_keeps_an_address_and_nobody_sees_its_login_again(
    shops: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    told = run("set", "shop", "--as", "admin_shop", given=f"{URL}\n", monkeypatch=monkeypatch)
    told += run("list") + run("list", "--json")
    assert "shop reads postgresql://127.0.0.1:1/shop" in told
    assert json.loads(run("list", "--json")) == [{"workspace": "shop", "warehouse": "postgresql://127.0.0.1:1/shop"}]
    with connection.cursor() as cursor:
        stored = str(cursor.execute("SELECT * FROM accounts_keptwarehouse").fetchall())
    held = pool.warehouse_for("shop")
    with pytest.raises(WarehouseFault) as fault:
        held.schema()
    for text in (told, stored, repr(held), str(fault.value), repr(KeptWarehouse.rows.all()), caplog.text):
        assert SECRET not in text
    assert warehouses.warehouse_url("shop") == URL
    assert warehouses.warehouse_url("other") == ""
    assert "shop" in pool.known()


@pytest.mark.parametrize(
    ("who", "workspace", "url"),
    [
        ("analyst_shop", "shop", URL),
        ("admin_other", "shop", URL),
        ("admin_shop", "nowhere", URL),
        ("admin_shop", "shop", "http://169.254.169.254/"),
        ("admin_shop", "shop", f"{URL}&options=-crole%3Dx"),
    ],
)
def test_others_keep_none_and_an_address_that_is_none_is_not_kept(
    shops: None, monkeypatch: pytest.MonkeyPatch, who: str, workspace: str, url: str
) -> None:
    with pytest.raises(CommandError) as told:
        run("set", workspace, "--as", who, given=url, monkeypatch=monkeypatch)
    assert SECRET not in str(told.value)
    assert warehouses.warehouse_places() == ()


def test_a_sealed_text_copied_to_another_workspace_opens_nothing_there(shops: None) -> None:
    mine, theirs = service.workspace("shop"), service.workspace("other")
    assert mine is not None
    assert theirs is not None
    warehouses.keep_warehouse(mine.id, URL, shown="x")
    row = KeptWarehouse.rows.of(mine.id).get()
    KeptWarehouse.rows.create(workspace_id=theirs.id, sealed=row.sealed, shown="x")
    with pytest.raises(ShownError, match="cannot be opened"):
        warehouses.warehouse_url("other")
    with pytest.raises(WarehouseFault, match="cannot be opened"):
        pool.warehouse_for("other")


def test_a_new_key_seals_all_again_and_the_old_one_can_go(shops: None) -> None:
    place = service.workspace("shop")
    assert place is not None
    warehouses.keep_warehouse(place.id, URL, shown="x")
    before = KeptWarehouse.rows.of(place.id).get().sealed
    assert run("rotate", "--new-key").startswith("1 addresses")
    file = warehouses.key_file()
    new, old = file.read_text(encoding="ascii").split()
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(new, encoding="ascii")
    assert warehouses.warehouse_url("shop") == URL
    assert KeptWarehouse.rows.of(place.id).get().sealed != before
    assert run("rotate").startswith("0 addresses")
    file.write_text(old, encoding="ascii")
    with pytest.raises(ShownError, match="not among the keys"):
        warehouses.warehouse_url("shop")


def test_keys_of_the_environment_go_before_the_file(shops: None, monkeypatch: pytest.MonkeyPatch) -> None:
    place = service.workspace("shop")
    assert place is not None
    monkeypatch.setenv("DATAAGENT_CREDENTIAL_KEYS", key_text(KEY))
    warehouses.keep_warehouse(place.id, URL, shown="x")
    assert credentials.is_sealed_with(KEY, KeptWarehouse.rows.of(place.id).get().sealed)
    monkeypatch.setenv("DATAAGENT_CREDENTIAL_KEYS", f"{key_text(OTHER)} {key_text(KEY)}")
    assert warehouses.reseal_warehouses() == 1
    monkeypatch.setenv("DATAAGENT_CREDENTIAL_KEYS", key_text(OTHER))
    assert warehouses.warehouse_url("shop") == URL
    with pytest.raises(ShownError, match="in the environment"):
        warehouses.reseal_warehouses(with_new_key=True)


def test_no_key_is_made_beside_a_database_of_ones_own(shops: None, settings: Any) -> None:
    settings.EMBEDDED = False
    place = service.workspace("shop")
    assert place is not None
    with pytest.raises(ShownError, match="DATAAGENT_CREDENTIAL_KEYS"):
        warehouses.keep_warehouse(place.id, URL, shown="x")
    assert not warehouses.key_file().exists()


def test_an_address_is_forgotten_by_an_admin(shops: None) -> None:
    place = service.workspace("shop")
    assert place is not None
    warehouses.keep_warehouse(place.id, URL, shown="x")
    run("forget", "shop", "--as", "admin_shop")
    assert warehouses.warehouse_url("shop") == ""
    with pytest.raises(CommandError, match="No address"):
        run("forget", "shop", "--as", "admin_shop")

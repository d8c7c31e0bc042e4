"""Where a workspace's warehouse is, with its login: sealed in the database, opened for the connection alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.db import transaction

from dataagent import secrets_file
from dataagent.accounts import store
from dataagent.accounts.credentials import (
    KEY_BYTES,
    NONCE_BYTES,
    CredentialError,
    is_sealed_with,
    key_text,
    keys_of,
    seal,
    unseal,
)
from dataagent.accounts.types import WarehousePlace
from dataagent.errors import ShownError

NO_KEY = "Set DATAAGENT_CREDENTIAL_KEYS or DATAAGENT_CREDENTIAL_KEYS_FILE: without a key no login is kept."


def keep_warehouse(workspace_id: int, url: str, *, shown: str) -> None:
    """Keep the address of a workspace's warehouse; `shown` is what people may see of it.

    Raises: ShownError(unavailable) where there is no key to seal it with.
    """
    sealed = seal(_keys()[0], url, about=_about(workspace_id), nonce=secrets.token_bytes(NONCE_BYTES))
    store.put_warehouse(workspace_id, sealed=sealed, shown=shown)


def warehouse_url(slug: str) -> str:
    """The kept address of a workspace's warehouse with its login; empty where there is none.

    Only for what opens the connection.  Raises: ShownError(unavailable) where no key opens it.
    """
    found = store.warehouse_of(slug)
    return _opened(*found) if found is not None else ""


def warehouse_places() -> tuple[WarehousePlace, ...]:
    """The workspaces whose warehouse is kept, by name, and where it is: never the login."""
    return store.warehouse_places()


def forget_warehouse(workspace_id: int) -> bool:
    """Whether an address was kept and is now gone."""
    return store.drop_warehouse(workspace_id)


def reseal_warehouses(*, with_new_key: bool = False) -> int:
    """How many kept addresses were sealed again with the first key; all or none.

    `with_new_key` first puts a new key before the others in their file.
    Raises: ShownError(unavailable) where one cannot be opened; ShownError(invalid_input) where the keys are no file.
    """
    if with_new_key:
        _add_key()
    key = _keys()[0]
    with transaction.atomic():
        old = [row for row in store.sealed_warehouses() if not is_sealed_with(key, row[1])]
        for workspace_id, sealed in old:
            again = _opened(workspace_id, sealed)
            fresh = seal(key, again, about=_about(workspace_id), nonce=secrets.token_bytes(NONCE_BYTES))
            store.reseal_warehouse(workspace_id, fresh)
    return len(old)


def key_file() -> Path:
    """Where the keys lie that are not in the environment."""
    return Path(os.environ.get("DATAAGENT_CREDENTIAL_KEYS_FILE", "") or Path(settings.HOME) / "credential_keys")


def _opened(workspace_id: int, sealed: str) -> str:
    try:
        return unseal(_keys(), sealed, about=_about(workspace_id))
    except CredentialError as error:
        raise ShownError("unavailable", f"The kept address of a warehouse cannot be opened. {error}") from error


def _keys() -> tuple[bytes, ...]:
    try:
        return keys_of(os.environ.get("DATAAGENT_CREDENTIAL_KEYS", "") or _from_file())
    except (CredentialError, OSError, UnicodeDecodeError) as error:
        raise ShownError("unavailable", f"The keys of credentials cannot be used. {NO_KEY}") from error


def _from_file() -> str:
    path = key_file()
    if settings.EMBEDDED:
        return secrets_file.read_or_create(path, lambda: key_text(secrets.token_bytes(KEY_BYTES)))
    return path.read_text(encoding="ascii")


def _add_key() -> None:
    if os.environ.get("DATAAGENT_CREDENTIAL_KEYS"):
        raise ShownError("invalid_input", "The keys are in the environment: put the new one before the others there.")
    path, known = key_file(), _keys()
    lines = [key_text(secrets.token_bytes(KEY_BYTES)), *map(key_text, known)]
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    secrets_file.read_or_create(beside, lambda: "\n".join(lines) + "\n")
    beside.replace(path)


def _about(workspace_id: int) -> str:
    return f"warehouse of workspace {workspace_id}"

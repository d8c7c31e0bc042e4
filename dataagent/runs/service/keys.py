"""The keys that sign and check receipts: files in one folder, made on first use where that is allowed."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings

from dataagent import secrets_file
from dataagent.errors import ShownError
from dataagent.runs import receipt

SIGNING_FILE = "receipts_signing.pem"


def folder() -> Path:
    """Where the keys lie: DATAAGENT_KEYS, else `keys` in the data folder."""
    return Path(os.environ.get("DATAAGENT_KEYS", "") or Path(settings.HOME) / "keys")


def signing_key() -> Ed25519PrivateKey:
    """The private key; generated once where the product runs embedded or DATAAGENT_KEYS names the folder.

    Raises: ShownError(unavailable) where there is none and none may be made.
    """
    return _signing_key(folder())


def public_keys() -> dict[str, Ed25519PublicKey]:
    """All public keys of the folder by key id: the current one and those of earlier signing keys."""
    found: dict[str, Ed25519PublicKey] = {}
    for path in sorted(folder().glob("*.pub.pem")):
        key = public_key(path)
        found[receipt.key_id(key)] = key
    return found


def public_key(path: Path) -> Ed25519PublicKey:
    """The public key in a PEM file.

    Raises: ShownError(not_found) or ShownError(invalid_input) with a plain sentence.
    """
    try:
        data = path.read_bytes()[:100_000]
    except OSError as error:
        raise ShownError("not_found", f"The key file {path.name} cannot be read.") from error
    try:
        key = serialization.load_pem_public_key(data)
    except ValueError as error:
        raise ShownError("invalid_input", f"{path.name} is not a public key in PEM form.") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ShownError("invalid_input", f"{path.name} holds another kind of key; receipts use Ed25519.")
    return key


def public_pem() -> str:
    """The current public key as PEM text, to be handed to those who check receipts."""
    return _pem(signing_key().public_key())


@lru_cache(maxsize=8)
def _signing_key(where: Path) -> Ed25519PrivateKey:
    if not (settings.EMBEDDED or os.environ.get("DATAAGENT_KEYS") or (where / SIGNING_FILE).exists()):
        raise ShownError("unavailable", "Receipts cannot be signed: set DATAAGENT_KEYS to the folder of the keys.")
    text = secrets_file.read_or_create(where / SIGNING_FILE, _new_key)
    key = serialization.load_pem_private_key(text.encode("ascii"), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ShownError("unavailable", f"{SIGNING_FILE} holds another kind of key; receipts use Ed25519.")
    public = key.public_key()
    short = receipt.key_id(public).removeprefix("sha256:")[:16]
    secrets_file.read_or_create(where / f"receipts_{short}.pub.pem", lambda: _pem(public))
    return key


def _new_key() -> str:
    return (
        Ed25519PrivateKey.generate()
        .private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        .decode("ascii")
    )


def _pem(key: Ed25519PublicKey) -> str:
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode("ascii")

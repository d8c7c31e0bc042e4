"""Which keys the joins of a statement rely on: each join carries its own through every later step."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from catalog.query import ReliedKey

_RELIED = "relied_key"


def relying(joined: exp.Join, key: ReliedKey | None) -> exp.Join:
    """The join itself, with a note of the key that it relies on, which stays with it in copies."""
    if key is not None:
        joined.meta[_RELIED] = key
    return joined


def relied_keys(tree: exp.Query) -> tuple[ReliedKey, ...]:
    """The keys that the statement's joins rely on, each once, by table and columns."""
    found = {j.meta[_RELIED] for j in tree.find_all(exp.Join) if _RELIED in j.meta}
    return tuple(sorted(found, key=lambda k: (k.table, k.columns, k.partitions)))


def observed_keys(keys: Iterable[ReliedKey]) -> tuple[str, ...]:
    """What has to be said of joins that no constraint declares."""
    found = (
        f"{key.table} is joined by {', '.join(key.columns)}. No constraint declares that; the data showed it when the"
        " catalog was drafted."
        for key in keys
        if key.observed
    )
    return tuple(dict.fromkeys(found))

"""Python's garbage collector beside a large catalog: it walks all that is alive, again and again while much is built.

A catalog has no cycles, so the collector never finds anything in it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector() -> Iterator[None]:
    """A block (or, as a decorator, a function) in which nothing is collected; then as it was before."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def set_apart() -> None:
    """All that is alive now is never walked again; it goes away all the same when nothing refers to it."""
    gc.collect()
    gc.freeze()

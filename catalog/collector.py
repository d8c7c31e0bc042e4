"""Python's garbage collector beside what is built at a stretch: it walks all that is alive, again and again meanwhile.

A catalog has no cycles, so the collector never finds anything in it; of a statement's tree it
finds nothing before the text is written.
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

"""Turns SIGTERM and SIGINT into an event, so that a process can end in order."""

from __future__ import annotations

import signal
import threading
from types import FrameType


def stop_event() -> threading.Event:
    """An event that is set at the first SIGTERM or Ctrl-C; the second one ends the process at once."""
    stop = threading.Event()

    def handle(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        stop.set()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)
    return stop

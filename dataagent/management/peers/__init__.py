"""Other compilers as processes of their own: their pins never meet ours.

A peer is told some queries as one line of JSON, and answers with one line: `ms`, the processor
time that its own process took for each, or `answers`, one for each.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


class PeerFailed(RuntimeError):
    """A peer that could not be started, or that cannot compile a query."""


class Peer:
    """A running peer; `name` has its version."""

    def __init__(self, process: subprocess.Popen[str], name: str) -> None:
        self.name = name
        self._process = process

    def compile_ms(self, queries: Sequence[object]) -> list[float]:
        """The milliseconds that the peer took to compile each query, one after the other.

        Raises:
            PeerFailed: the peer has no SQL for one.
        """
        return [float(str(ms)) for ms in _asked(self._process, json.dumps(queries))["ms"]]

    def answers(self, queries: Sequence[object]) -> list[dict[str, Any]]:
        """What the peer says to each query: an object of its own form.

        Raises:
            PeerFailed: the peer ended.
        """
        found: list[dict[str, Any]] = _asked(self._process, json.dumps(queries))["answers"]
        return found


@contextmanager
def peer(*command: str) -> Iterator[Peer]:
    """The peer that the command starts; it ends with the block.

    Raises:
        PeerFailed: it says why it cannot start.
    """
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            yield Peer(process, str(_read(process)["peer"]))
        finally:
            process.kill()


def _asked(process: subprocess.Popen[str], line: str) -> dict[str, Any]:
    if process.stdin is None:
        raise PeerFailed("The peer cannot be asked.")
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return _read(process)


def _read(process: subprocess.Popen[str]) -> dict[str, Any]:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise PeerFailed("The peer ended without an answer; what it said stands above.")
    found: dict[str, Any] = json.loads(line)
    return found

"""Other compilers as processes of their own: their pins never meet ours.

A peer is told a query as one line of JSON, and answers with one line: `ms`, the processor
time that its own process took, and `sql`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent


class PeerFailed(RuntimeError):
    """A peer that could not be started, or that cannot compile a query."""


class Peer:
    """A running peer; `name` has its version."""

    def __init__(self, process: subprocess.Popen[str], name: str) -> None:
        self.name = name
        self._process = process

    def compile_ms(self, query: Mapping[str, object]) -> float:
        """The milliseconds that the peer took to compile the query.

        Raises:
            PeerFailed: the peer has no SQL for it.
        """
        found = _asked(self._process, json.dumps(query))
        if not found.get("sql"):
            raise PeerFailed(f"{self.name} has no SQL for {json.dumps(query)}: {found.get('error', '')}")
        return float(str(found["ms"]))


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


def _asked(process: subprocess.Popen[str], line: str) -> dict[str, object]:
    if process.stdin is None:
        raise PeerFailed("The peer cannot be asked.")
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return _read(process)


def _read(process: subprocess.Popen[str]) -> dict[str, object]:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise PeerFailed(f"The peer ended: {' '.join(map(str, process.args))}")  # type: ignore[arg-type]
    found: dict[str, object] = json.loads(line)
    return found

"""One killable engine process as the product sees it: send a request, get rows or a fault, within a time."""

from __future__ import annotations

import contextlib
import json
import os
import select
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dataagent.warehouse.port import WarehouseFault

_CHILD = Path(__file__).with_name("child.py")
_GRACE_S = 0.7
_START_S = 20.0
_POLL_S = 0.05
_ENVELOPE_BYTES = 4 * 1024 * 1024

CATALOG = "dataagent_file"
"""What an engine process calls the opened file: no schema is called that, whatever the file's own name."""

UTC = "UTC"

MESSAGES = {
    "timeout": "The query took longer than allowed and was stopped.",
    "cancelled": "The query was cancelled.",
    "out_of_memory": "The query needed more memory than allowed and was stopped.",
    "unreachable": "The warehouse did not answer.",
    "too_large": "The result is larger than allowed.",
    "invalid_query": "The warehouse could not run the query.",
}


def fault(code: str) -> WarehouseFault:
    """The fault of that code with its safe sentence."""
    return WarehouseFault(code, MESSAGES[code])


def known_zone(zone: str) -> str:
    """The zone's name.  Raises: WarehouseFault(invalid_query) where there is no such zone."""
    try:
        return ZoneInfo(zone).key
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise WarehouseFault(
            "invalid_query", "The catalog's time zone is not known; correct calendar.timezone."
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one engine process may use."""

    address_space_bytes: int = 3 * 1024**3
    memory_limit: str = "1GB"
    threads: int = 2
    max_temp_size: str = "1GB"


class EngineProcess:
    """One child.  Used by one thread at a time; `stop` may come from any thread."""

    def __init__(self, path: Path, temp: Path, limits: Limits, *, catalog: str = CATALOG, timezone: str = UTC) -> None:
        settings = {
            "path": str(path),
            "catalog": catalog,
            "timezone": timezone,
            "temp_directory": str(temp),
            "address_space_bytes": limits.address_space_bytes,
            "memory_limit": limits.memory_limit,
            "threads": limits.threads,
            "max_temp_size": limits.max_temp_size,
        }
        environment = {k: os.environ[k] for k in ("PATH", "LANG", "LC_ALL") if k in os.environ}
        self._process = subprocess.Popen(  # noqa: S603 (our own script with our own arguments)
            [sys.executable, "-I", str(_CHILD), json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        self._write_lock = threading.Lock()
        self._stop_code = ""
        self._stop_at = 0.0
        self._number = 0
        hello = self._receive(time.monotonic() + _START_S, _ENVELOPE_BYTES)
        self.version = str(hello.get("hello", ""))

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process can take another request.  One that was told to stop may not:
        a late interrupt would hit someone else's query."""
        return not self._stop_code and self._process.poll() is None

    def ask(self, request: Mapping[str, Any], *, timeout_s: float, max_bytes: int) -> dict[str, Any]:
        """The reply to one request.

        Raises: WarehouseFault.  Past its time the query is interrupted, then the process killed.
        """
        self._number += 1
        deadline = time.monotonic() + timeout_s
        try:
            self._send({**request, "id": self._number})
            reply = self._receive(deadline, max_bytes + _ENVELOPE_BYTES)
        except (OSError, EOFError, ValueError):
            raise fault(self._end()) from None
        if reply.get("id") != self._number:
            self.kill()
            raise fault("unreachable")
        if "fault" in reply:
            raise fault(self._stop_code or "cancelled" if reply["fault"] == "interrupted" else reply["fault"])
        return reply

    def stop(self, code: str) -> None:
        """Interrupt the running query; the waiting thread kills the process where that is not enough."""
        if not self._stop_code:
            self._stop_code, self._stop_at = code, time.monotonic()
        with contextlib.suppress(OSError):
            self._send({"do": "interrupt", "id": 0})

    def kill(self) -> None:
        """End the process now."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _send(self, frame: Mapping[str, Any]) -> None:
        body = json.dumps(frame).encode()
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            raise EOFError
        with self._write_lock:
            _write_all(pipe.fileno(), struct.pack(">I", len(body)) + body)

    def _receive(self, deadline: float, max_bytes: int) -> dict[str, Any]:
        (length,) = struct.unpack(">I", self._read(4, deadline))
        if length > max_bytes:
            self._stop_code = "too_large"
            raise EOFError
        reply = json.loads(self._read(length, deadline))
        if not isinstance(reply, dict):
            raise EOFError
        return reply

    def _read(self, length: int, deadline: float) -> bytes:
        """Exactly `length` bytes.  Raises: EOFError when the process ended, or had to be ended."""
        pipe = self._process.stdout
        if pipe is None or pipe.closed:
            raise EOFError
        parts: list[bytes] = []
        while length:
            now = time.monotonic()
            if not self._stop_code and now > deadline:
                self.stop("timeout")
            if self._stop_code and now > self._stop_at + _GRACE_S:
                raise EOFError
            if not select.select([pipe], [], [], _POLL_S)[0]:
                continue
            part = os.read(pipe.fileno(), min(length, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            length -= len(part)
        return b"".join(parts)

    def _end(self) -> str:
        """Why the process is gone, as a fault code; it is gone afterwards."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            if not self._stop_code:
                self._process.wait(timeout=_GRACE_S)
        died = self._process.returncode
        self.kill()
        return self._stop_code or ("out_of_memory" if died in {-6, -9, -11} else "unreachable")


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]

"""Processes of the product that somebody keeps alive, as a supervisor does, and that somebody else kills."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

FEW = 20
ROOT = Path(__file__).parents[2]


class Kept:
    """A process that is started again whenever it ends."""

    def __init__(self, name: str, arguments: tuple[str, ...], environment: Mapping[str, str], log: Path) -> None:
        self.name = name
        self._arguments, self._environment, self._log = arguments, environment, log
        self._stop = threading.Event()
        self._process = self._start()
        self._thread = threading.Thread(target=self._keep, name=f"kept-{name}", daemon=True)
        self._thread.start()

    def kill(self) -> None:
        """Ends it as a full machine does: with SIGKILL, and all of its children with it where it forks."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Ends it in order and keeps it no longer."""
        self._stop.set()
        self._thread.join()
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as out:
            return subprocess.Popen(
                [sys.executable, "-m", *self._arguments],
                cwd=ROOT,
                env=dict(self._environment),
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def _keep(self) -> None:
        while not self._stop.wait(0.1):
            if self._process.poll() is not None:
                self._process = self._start()


class Killer:
    """Kills processes at random moments until it is told to stop; counts what it did."""

    def __init__(
        self, kept: tuple[Kept, ...], postgres: Path, *, seed: int, every_s: float, postgres_each: int, most: int
    ) -> None:
        self._kept, self._postgres = kept, postgres
        self._random = random.Random(seed)
        self._every_s, self._postgres_each, self._most = every_s, postgres_each, most
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._go_on, name="killer", daemon=True)
        self.killed: Counter[str] = Counter()

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    def end(self) -> None:
        """Ends; nothing is killed after it.  Where only so many are to be killed, they have been."""
        if self._most > FEW:
            self._stop.set()
        self._thread.join()

    def _go_on(self) -> None:
        count = 0
        while count < self._most and not self._stop.wait(self._random.uniform(0.3, 1.7) * self._every_s):
            count += 1
            if self._postgres_each and count % self._postgres_each == 0:
                self._kill_postgres()
                continue
            chosen = self._random.choice(self._kept)
            chosen.kill()
            self.killed[chosen.name] += 1

    def _kill_postgres(self) -> None:
        with contextlib.suppress(OSError, ValueError, IndexError):
            os.kill(int((self._postgres / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
            self.killed["postgres"] += 1


def left_of(mark: str) -> list[int]:
    """Processes whose command line names `mark` and whose parent is gone."""
    orphans = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if mark in command and "child.py" in command and parent == 1:
                orphans.append(int(folder.name))
    return orphans


def until(condition: object, within_s: float, every_s: float = 0.2) -> bool:
    """Whether the condition came to hold in time."""
    end_s = time.monotonic() + within_s
    while not condition():  # type: ignore[operator]
        if time.monotonic() > end_s:
            return False
        time.sleep(every_s)
    return True

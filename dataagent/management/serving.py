"""Runs the web server in this process and a worker in a child; ends both in order."""

from __future__ import annotations

import errno
import logging
import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn
from django.conf import settings

from dataagent.errors import ShownError

log = logging.getLogger(__name__)

READY_S = 30.0
STOP_S = 25.0
LOOK_EVERY_S = 0.5
REST_S = 5.0


def check_port(host: str, port: int) -> None:
    """Raises: ShownError(unavailable) where nothing can listen at that address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OverflowError as error:
            raise ShownError("invalid_input", f"{port} is not a port; choose one from 1 to 65535.") from error
        except OSError as error:
            raise ShownError("unavailable", _port_words(host, port, error)) from error


class AnnouncingServer(uvicorn.Server):
    """A web server that calls `ready` once it accepts connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Binds the port, then announces; nothing is announced where it could not start."""
        await super().startup(sockets=sockets)
        if self.started:
            self._ready()


class WorkerChild:
    """A worker in a child process, started again whenever it dies before its time."""

    def __init__(self) -> None:
        self._process = _start()
        self._stopping = threading.Event()
        self._watch = threading.Thread(target=self._keep_alive, name="worker-watch", daemon=True)
        self._watch.start()

    def stop(self) -> None:
        """Ends the worker: it finishes its run; after a while it is killed."""
        self._stopping.set()
        self._watch.join()
        _end(self._process)

    def _keep_alive(self) -> None:
        while not self._stopping.wait(LOOK_EVERY_S):
            if self._process.poll() is not None:
                log.warning("The worker ended (exit code %s); starting another one.", self._process.returncode)
                self._start_again()

    def _start_again(self) -> None:
        try:
            self._process = _start()
        except ShownError:
            log.warning("The worker does not start; trying again.")
            self._stopping.wait(REST_S)


def _start() -> subprocess.Popen[str]:
    manage = str(Path(settings.BASE_DIR) / "manage.py")
    command = [sys.executable, manage, "worker", "--parent", str(os.getpid())]
    if settings.DEMO:
        command += ["--warm", "demo"]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
    if not _said_something(worker, READY_S):
        _end(worker)
        raise ShownError("unavailable", "The worker did not start. Run manage.py doctor to see why.")
    return worker


def _end(worker: subprocess.Popen[str]) -> None:
    if worker.poll() is None:
        worker.terminate()
        try:
            worker.wait(timeout=STOP_S)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            worker.kill()
            worker.wait()
    if worker.stdout:
        worker.stdout.close()


def _said_something(worker: subprocess.Popen[str], seconds: float) -> bool:
    until = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        if worker.stdout is None:
            return False
        selector.register(worker.stdout, selectors.EVENT_READ)
        while time.monotonic() < until and worker.poll() is None:
            if selector.select(timeout=0.2):
                return bool(worker.stdout.readline())
    return False


def _port_words(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is busy: another program uses it. Choose another one with --port {port + 1}."
    if error.errno == errno.EACCES:
        return f"Port {port} may not be used by this account. Choose one above 1023 with --port."
    return f"Nothing can listen at {host}:{port}: {error.strerror}."

"""Runs the web server in this process and a worker in a child; ends both in order."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import subprocess
import sys
import time
from pathlib import Path

from django.conf import settings

from dataagent.errors import ShownError

READY_S = 30.0
STOP_S = 25.0


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


def start_worker() -> subprocess.Popen[str]:
    """A worker in a session of its own, listening.

    Raises: ShownError(unavailable) where it does not start.
    """
    command = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), "worker", "--parent", str(os.getpid())]
    worker = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
    if not _said_something(worker, READY_S):
        stop_worker(worker)
        raise ShownError("unavailable", "The worker did not start. Run manage.py doctor to see why.")
    return worker


def stop_worker(worker: subprocess.Popen[str]) -> None:
    """Ends the worker: it finishes its run; after a while it is killed."""
    if worker.poll() is None:
        worker.terminate()
        try:
            worker.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
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

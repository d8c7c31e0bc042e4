"""Has a child process read members whenever it is due, so that no question of this process waits for the reading."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from django.conf import settings
from django.db import connection

from dataagent.runs.service.memberupkeep import due

log = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
LONGEST_REST_S = 120.0
"""The longest rest after child processes that ended without having read what was due."""
STOP_S = 5.0


class MemberKeeper:
    """A thread that looks until `stop` is set; what is being read then is ended, and what was read before stays."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._thread = threading.Thread(target=self._keep, name="members", daemon=True)

    def start(self) -> None:
        """Begins to look."""
        self._thread.start()

    def join(self) -> None:
        """Waits until it has ended, some seconds at most."""
        self._thread.join(timeout=2 * STOP_S)

    def _keep(self) -> None:
        rest_s = LOOK_EVERY_S
        while not self._stop.wait(rest_s):
            try:
                waiting = due()
                if waiting:
                    self._read()
                    rest_s = min(LONGEST_REST_S, 2 * rest_s) if due() == waiting else LOOK_EVERY_S
            except Exception as error:
                log.warning("It could not be seen whether members are due: %s", type(error).__name__)
            finally:
                connection.close()

    def _read(self) -> None:
        manage = str(Path(settings.BASE_DIR) / "manage.py")
        command = [sys.executable, manage, "members", "refresh", "--due", "--parent", str(os.getpid())]
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)  # noqa: S603
        while child.poll() is None and not self._stop.wait(0.2):
            pass
        if child.poll() is None:
            child.terminate()
            try:
                child.wait(STOP_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

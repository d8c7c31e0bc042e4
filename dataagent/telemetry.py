"""Logs as lines of JSON: which run, conversation and workspace a line is about, and no value of anybody's data."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

OURS = ("dataagent", "catalog", "contextcards", "frontend", "evals")
_about: ContextVar[dict[str, str] | None] = ContextVar("about", default=None)


@contextmanager
def about(*, run: str, session: str, workspace: str) -> Iterator[None]:
    """Lines that are logged in the block, in this thread, say which run they are about."""
    token = _about.set({"run": run, "session": session, "workspace": workspace})
    try:
        yield
    finally:
        _about.reset(token)


class JsonLines(logging.Formatter):
    """One JSON object per line.

    An exception is told by its type and where it happened: its words may repeat a row or a question.  So may those of
    other libraries, of which only the unfilled text is kept.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        ours = record.name.split(".")[0] in OURS
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage() if ours else str(record.msg),
            **(_about.get() or {}),
        }
        if record.exc_info and record.exc_info[0]:
            line["exception"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["where"] = [f"{f.filename}:{f.lineno} {f.name}" for f in frames[-8:]]
        return json.dumps(line, ensure_ascii=False)

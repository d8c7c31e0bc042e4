"""The door of runs: ask, choose, cancel, read, prove."""

from __future__ import annotations

from dataagent.runs.service.asking import cancel, start_run, today_of
from dataagent.runs.service.proof import (
    audit,
    check_receipt,
    manifest,
    receipt,
    receipt_file,
    receipt_view,
    verify_chain,
)
from dataagent.runs.service.reading import events_after, run, session_runs, sessions

__all__ = [
    "audit",
    "cancel",
    "check_receipt",
    "events_after",
    "manifest",
    "receipt",
    "receipt_file",
    "receipt_view",
    "run",
    "session_runs",
    "sessions",
    "start_run",
    "today_of",
    "verify_chain",
]

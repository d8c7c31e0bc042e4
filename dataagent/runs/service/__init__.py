"""The door of runs: ask, choose, cancel, read, prove."""

from __future__ import annotations

from dataagent.runs.service.asking import cancel, start_run, today_of
from dataagent.runs.service.exporting import ResultFile, result_csv
from dataagent.runs.service.proof import (
    audiences,
    audit,
    check_receipt,
    manifest,
    receipt,
    receipt_file,
    receipt_view,
    verify_chain,
)
from dataagent.runs.service.reading import events_after, run, session_runs, sessions
from dataagent.runs.service.sight import Parts, card, cards, dimension, explanation, metric, search, sight
from dataagent.runs.service.streaming import follow
from dataagent.runs.service.typing import complete

__all__ = [
    "Parts",
    "ResultFile",
    "audiences",
    "audit",
    "cancel",
    "card",
    "cards",
    "check_receipt",
    "complete",
    "dimension",
    "events_after",
    "explanation",
    "follow",
    "manifest",
    "metric",
    "receipt",
    "receipt_file",
    "receipt_view",
    "result_csv",
    "run",
    "search",
    "session_runs",
    "sessions",
    "sight",
    "start_run",
    "today_of",
    "verify_chain",
]

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
from dataagent.runs.service.teaching import (
    meant_by,
    propose_word,
    publish_word,
    reject_word,
    unfit_words,
    withdraw_word,
    word_proposal,
    word_proposals,
)
from dataagent.runs.service.typing import complete
from dataagent.runs.service.wordlog import word_effects, word_log

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
    "meant_by",
    "metric",
    "propose_word",
    "publish_word",
    "receipt",
    "receipt_file",
    "receipt_view",
    "reject_word",
    "result_csv",
    "run",
    "search",
    "session_runs",
    "sessions",
    "sight",
    "start_run",
    "today_of",
    "unfit_words",
    "verify_chain",
    "withdraw_word",
    "word_effects",
    "word_log",
    "word_proposal",
    "word_proposals",
]

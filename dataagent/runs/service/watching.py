"""What monitoring reads."""

from __future__ import annotations

from dataagent.runs import store
from dataagent.runs.metrics import exposition


def metrics_text() -> str:
    """The state of all workspaces together, in the text format of Prometheus."""
    return exposition(store.reading())

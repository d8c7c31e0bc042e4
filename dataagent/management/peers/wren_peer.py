"""Wren's compiler beside ours, run by an interpreter that has it: `wren_peer.py MODEL`."""

from __future__ import annotations

import base64
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

from wren_core import SessionContext


def _compile_ms(session: SessionContext, asked: str) -> float:
    started = time.process_time()
    sql = session.transform_sql(asked)
    taken = time.process_time() - started
    if not sql:
        raise ValueError(f"Wren has no SQL for {asked}")
    return taken * 1000


def main() -> None:
    """Compiles some queries a line until there are no more."""
    model = base64.b64encode(Path(sys.argv[1]).read_bytes()).decode()
    session = SessionContext(model, None, None, "duckdb")
    sys.stdout.write(json.dumps({"peer": f"wren-core-py {version('wren-core-py')}"}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        taken = [_compile_ms(session, asked) for asked in json.loads(line)]
        sys.stdout.write(json.dumps({"ms": taken}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

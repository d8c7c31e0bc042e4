"""Wren's compiler beside ours, run by an interpreter that has it: `wren_peer.py MODEL`."""

from __future__ import annotations

import base64
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

from wren_core import SessionContext


def main() -> None:
    """Compiles one query a line until there are no more."""
    model = base64.b64encode(Path(sys.argv[1]).read_bytes()).decode()
    session = SessionContext(model, None, None, "duckdb")
    sys.stdout.write(json.dumps({"peer": f"wren-core-py {version('wren-core-py')}"}) + "\n")
    sys.stdout.flush()
    for line in sys.stdin:
        asked = json.loads(line)["sql"]
        started = time.process_time()
        sql = session.transform_sql(asked)
        taken = time.process_time() - started
        sys.stdout.write(json.dumps({"ms": taken * 1000, "sql": sql}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

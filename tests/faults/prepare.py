"""Fills a data folder for the faults: `python -m tests.faults.prepare SCALE`; prints a token for each asker."""

from __future__ import annotations

import json
import sys

ASKERS = (("analyst", "demo"), ("other_team", "other"))


def main(scale: float) -> None:
    """Makes the database, the demo's two workspaces on little data, and a token for each asker."""
    import django

    django.setup()
    from dataagent.accounts import service as accounts
    from dataagent.management.preparing import prepare_database, prepare_demo

    prepare_database(lambda _: None)
    prepare_demo(lambda _: None, scale=scale)
    tokens = []
    for user, workspace in ASKERS:
        member = accounts.member(user, workspace)
        if member is None:
            raise SystemExit(f"{user} is no member of {workspace}")
        tokens.append(accounts.mint_token(member.workspace.id, member.account.id, name="faults").plain)
    sys.stdout.write(json.dumps(tokens))


if __name__ == "__main__":
    main(float(sys.argv[1]))

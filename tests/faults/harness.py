"""Runs under faults: asks over HTTP while web, workers, beat and database are killed, then looks at what is true."""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import psycopg

from tests.demo.postgres_copy import copy_to_postgres
from tests.faults.launch import PLACES
from tests.faults.processes import ROOT, Kept, Killer, left_of, until
from tests.warehouse.postgres_server import Scratch, scratch_database

QUESTIONS = (
    "average order value by loyalty tier",
    "orders by store city last month",
    "net revenue by category in 2024",
    "units sold by month this year",
    "bounce rate by device last month",
    "how many orders yesterday?",
    "net revenue by month this year",
    "top 5 products by units sold last quarter",
    "revenue last month",
    "gross margin last month",
    "what does net revenue mean?",
    "orders by week this year",
    "revenue per employee",
)
BROKERS = {"redis": "redis://127.0.0.1:6379/6", "rabbitmq": "amqp://guest:guest@127.0.0.1:5672//"}
PATIENCE_S = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many runs, how they are disturbed, and by which road workers hear of them."""

    runs: int = 300
    seed: int = 1
    every_s: float = 2.5
    postgres_each: int = 6
    askers: int = 4
    scale: float = 0.02
    broker: str = ""
    most_kills: int = 100_000
    most_deaths: int = 3


@dataclass(slots=True, kw_only=True)
class Site:
    """The product on a data folder of its own, its warehouse in PostgreSQL."""

    home: Path
    environment: dict[str, str]
    tokens: list[str]
    port: int
    warehouse: Scratch
    kept: list[Kept] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where the API answers."""
        return f"http://127.0.0.1:{self.port}/api/v1"


def go(plan: Plan) -> dict[str, Any]:
    """What was found: `wrong` is empty where every accepted run ended once, with its proof, and left nothing behind."""
    with ExitStack() as stack:
        site = _site(plan, stack)
        started = time.monotonic()
        _start(site, plan)
        killer = Killer(
            tuple(site.kept),
            site.home / "postgres",
            seed=plan.seed,
            every_s=plan.every_s,
            postgres_each=plan.postgres_each,
            most=plan.most_kills,
        )
        try:
            _until_it_answers(site)
            killer.start()
            accepted = _ask_all(site, plan)
            killer.end()
            found = _settled(site, accepted)
        finally:
            for kept in site.kept:
                kept.end()
        orphans = _orphans(site)
        deaths = Counter((site.home / "deaths").read_text(encoding="utf-8").splitlines())
    return _report(plan, found, accepted, orphans, {"by_place": dict(deaths), "by_chance": dict(killer.killed)}) | {
        "seconds": round(time.monotonic() - started, 1)
    }


def _site(plan: Plan, stack: ExitStack) -> Site:
    home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True)))
    home.chmod(0o755)
    (home / "deaths").touch()
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "dataagent.settings",
        "DATAAGENT_HOME": str(home),
        "DATAAGENT_EMBEDDINGS": "none",
        "DATAAGENT_MEMBERS_EVERY_S": "100000",
        "FAULTS_MOST_DEATHS": str(plan.most_deaths),
        "FAULTS_LOG": str(home / "deaths"),
        "BROKER_URL": plan.broker,
        "DATAAGENT_QUEUE": f"faults-{os.getpid()}",
    }
    command = [sys.executable, "-m", "tests.faults.prepare", str(plan.scale)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    warehouse = stack.enter_context(scratch_database())
    copy_to_postgres(home / "warehouse" / "demo.duckdb", warehouse.owner_url, ["warehouse"])
    warehouse.grant("warehouse")
    environment["DATAAGENT_WAREHOUSES"] = f"demo={warehouse.url}"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    return Site(home=home, environment=environment, tokens=json.loads(done.stdout), port=port, warehouse=warehouse)


def _start(site: Site, plan: Plan) -> None:
    launch = "tests.faults.launch"
    commands = {"web": (launch, "web", str(site.port))}
    if plan.broker:
        commands["worker-1"] = (launch, "celery", "-c", "2", "-n", "one@%h", "-l", "error")
        commands["worker-2"] = (launch, "celery", "-c", "2", "-n", "two@%h", "-l", "error")
        commands["beat"] = ("celery", "-A", "dataagent.celery", "beat", "-s", str(site.home / "beat"), "-l", "error")
    else:
        commands |= {"worker-1": (launch, "worker"), "worker-2": (launch, "worker")}
    for name, arguments in commands.items():
        site.kept.append(Kept(name, arguments, site.environment, site.home / f"{name}.log"))


def _until_it_answers(site: Site) -> None:
    def answers() -> bool:
        try:
            return _request(site, 0, "GET", "me")[0] == 200
        except (OSError, HTTPException):
            return False

    if not until(answers, 60):
        raise RuntimeError((site.home / "web.log").read_text(encoding="utf-8"))


def _request(site: Site, who: int, verb: str, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
    """Status and body.  Raises: OSError, HTTPException, ValueError where nothing, or half of it, came back."""
    headers = {"Authorization": f"Bearer {site.tokens[who]}", "Content-Type": "application/json"}
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(f"{site.address}/{path}", method=verb, headers=headers, data=data)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, {}


def _ask_all(site: Site, plan: Plan) -> dict[str, int]:
    """Every accepted run, with who asked it."""
    with ThreadPoolExecutor(plan.askers) as pool:
        numbers = range(plan.runs)
        return dict(pool.map(lambda n: _asked(site, n, random.Random(plan.seed * 100_000 + n)), numbers))


def _asked(site: Site, number: int, chance: random.Random) -> tuple[str, int]:
    """An accepted run: asked until the web server said so; now and then cancelled a little later."""
    who = 1 if number % 5 == 4 else 0
    run_id = ""
    while not run_id:
        try:
            status, run = _request(site, who, "POST", "runs", {"question": chance.choice(QUESTIONS)})
            run_id = str(run["run_id"]) if status == 202 else ""
        except (OSError, HTTPException, ValueError):
            pass  # whether that one was accepted is not known; the database is looked at in the end
        if not run_id:
            time.sleep(0.3)
    if chance.random() < 0.15:
        time.sleep(chance.uniform(0, 1))
        with_patience = lambda: _tried(site, who, f"runs/{run_id}/cancel")  # noqa: E731
        until(with_patience, 20)
    elif chance.random() < 0.5:
        until(lambda: _ended(site, who, run_id), 20)
    return run_id, who


def _tried(site: Site, who: int, path: str, body: Any = None) -> bool:
    """Whether the web server took it, or said that it does not fit (any more)."""
    try:
        return _request(site, who, "POST", path, body)[0] < 500
    except (OSError, HTTPException):
        return False


def _ended(site: Site, who: int, run_id: str) -> bool:
    """Whether a run has ended; where it asks back it gets its first option."""
    try:
        state = _request(site, who, "GET", f"runs/{run_id}")[1].get("state", "")
    except (OSError, HTTPException, ValueError):
        return False
    if state == "waiting_for_person":
        _tried(site, who, f"runs/{run_id}/choose", {"option": 1})
    return state not in {"", "queued", "running", "waiting_for_person", "waiting_for_approval"}


def _settled(site: Site, accepted: dict[str, int]) -> dict[str, Any]:
    """The findings of the database once nothing goes on any more, or when patience is over."""
    open_ = set(accepted)

    def all_ended() -> bool:
        open_.difference_update([run_id for run_id in open_ if _ended(site, accepted[run_id], run_id)])
        return not open_

    until(all_ended, PATIENCE_S, every_s=1)
    found: dict[str, Any] = {}

    def settled() -> bool:
        command = [sys.executable, "-m", "tests.faults.checking"]
        done = subprocess.run(command, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=False)
        found.update(json.loads(done.stdout) if done.returncode == 0 else {"fault": done.stderr[-2000:]})
        busy = set(found.get("unfinished", ["?"])) - set(found.get("waiting", ()))
        return not busy and not found["attempts"].get("lapsed") and not found["attempts"].get("working")

    until(settled, 40, every_s=1)
    return found


def _orphans(site: Site) -> list[str]:
    """Queries and engine processes that are still there a moment after everything has ended."""

    def queries() -> list[tuple[Any, ...]]:
        with psycopg.connect(site.warehouse.owner_url) as connection:
            return connection.execute(
                "SELECT application_name FROM pg_stat_activity"
                " WHERE application_name LIKE 'dataagent %' AND state = 'active'"
            ).fetchall()

    until(lambda: not queries() and not left_of(str(site.home)), 3)
    return [str(q[0]) for q in queries()] + [f"process {pid}" for pid in left_of(str(site.home))]


def _report(
    plan: Plan, found: dict[str, Any], accepted: dict[str, int], orphans: list[str], killed: dict[str, Any]
) -> dict[str, Any]:
    waiting = set(found.get("waiting", ()))
    wrong = {
        "fault": found.get("fault", ""),
        "lost": sorted(set(accepted) - set(found.get("ids", ()))),
        # what was accepted while the web server died may wait for a person who never heard of it
        "unfinished": sorted(set(found.get("unfinished", ())) - (waiting - set(accepted))),
        "without_one_manifest": found.get("without_one_manifest"),
        "events_amiss": found.get("events_amiss"),
        "chains": [slug for slug, ok in found.get("chains", {}).items() if not ok],
        "attempts_open": {k: v for k, v in found.get("attempts", {}).items() if k in {"working", "lapsed"}},
        "orphans": orphans,
    }
    return {
        "plan": asdict(plan),
        "accepted": len(accepted),
        "runs": len(found.get("ids", ())),
        "ends": found.get("ends"),
        "attempts": found.get("attempts"),
        "killed": killed,
        "places_never_died_at": sorted(set(PLACES) - set(killed["by_place"])),
        "wrong": {k: v for k, v in wrong.items() if v},
    }


def main() -> None:
    """`python -m tests.faults.harness --runs 300 --seed 1 [--broker URL]`; exit code 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every-s", type=float, default=2.5)
    parser.add_argument("--broker", default="")
    given = parser.parse_args()
    report = go(Plan(runs=given.runs, seed=given.seed, every_s=given.every_s, broker=given.broker))
    sys.stdout.write(json.dumps(report, indent=2) + "\n")
    sys.exit(1 if report["wrong"] else 0)


if __name__ == "__main__":
    main()

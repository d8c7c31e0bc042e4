"""What doctor looks at: each check says whether it is well, what it saw and what to do."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from catalog import service as catalog
from dataagent.accounts import service as accounts
from dataagent.accounts.service import warehouses
from dataagent.apps import reasons_not_to_start
from dataagent.errors import ShownError
from dataagent.management.worker import PRESENCE
from dataagent.runs.memberlists import UpkeepFacts
from dataagent.runs.service import keys, memberupkeep
from dataagent.warehouse.pool import known, warehouse_for
from dataagent.warehouse.port import WarehouseFault

ENOUGH_MB = 1_000
MAX_CLOCK_S = 5.0
HEARTBEAT_S = 15.0
BROKER_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """One check: its name, whether it is well, what was seen and what to do."""

    name: str
    ok: bool
    what: str
    what_to_do: str = ""


def all_checks() -> tuple[Health, ...]:
    """Every check in order; none stops the others."""
    return tuple(_guarded(check) for check in CHECKS)


def _guarded(check: Callable[[], Health]) -> Health:
    name = check.__name__.strip("_")
    try:
        return check()
    except (DatabaseError, OSError, RuntimeError, ShownError, WarehouseFault) as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        return Health(name=name, ok=False, what=words, what_to_do=_REMEDIES.get(name, "Read the message."))


def _python() -> Health:
    version = ".".join(map(str, sys.version_info[:3]))
    fine = sys.version_info >= (3, 11)
    return Health(name="python", ok=fine, what=f"Python {version}", what_to_do="" if fine else "Use 3.11 or newer.")


def _settings() -> Health:
    if reasons := reasons_not_to_start():
        return Health(name="settings", ok=False, what=" ".join(reasons), what_to_do=_REMEDIES["settings"])
    return Health(name="settings", ok=True, what=f"{settings.MODE} mode, data folder {settings.HOME}")


def _disk() -> Health:
    free_mb = shutil.disk_usage(_existing(Path(settings.HOME))).free // 1_000_000
    fine = free_mb >= ENOUGH_MB
    return Health(name="disk", ok=fine, what=f"{free_mb} MB free", what_to_do="" if fine else _REMEDIES["disk"])


def _database() -> Health:
    with connection.cursor() as cursor:
        cursor.execute("SELECT version()")
        version = str(cursor.fetchone()[0]).split(" on ", maxsplit=1)[0]
    kind = "embedded" if settings.EMBEDDED else "DATABASE_URL"
    return Health(name="database", ok=True, what=f"{version} ({kind})")


def _vector() -> Health:
    with connection.cursor() as cursor:
        cursor.execute("SELECT default_version FROM pg_available_extensions WHERE name = 'vector'")
        found = cursor.fetchone()
    words = f"pgvector {found[0]}" if found else "pgvector is not installed"
    return Health(name="vector", ok=bool(found), what=words, what_to_do="" if found else _REMEDIES["vector"])


def _migrations() -> Health:
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    words = f"{waiting} migrations wait" if waiting else "all tables are up to date"
    return Health(name="migrations", ok=not waiting, what=words, what_to_do=_REMEDIES["migrations"] if waiting else "")


def _clock() -> Health:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        theirs: datetime = cursor.fetchone()[0]
    apart_s = abs((timezone.now() - theirs).total_seconds())
    fine = apart_s <= MAX_CLOCK_S
    words = f"this machine and the database are {apart_s:.1f} s apart"
    return Health(name="clock", ok=fine, what=words, what_to_do="" if fine else _REMEDIES["clock"])


def _queue() -> Health:
    broker = "broker set" if settings.BROKER_URL else "LISTEN / NOTIFY"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FILTER (WHERE state = 'queued' AND created_at < now() - interval '30 seconds'),"
            " count(*) FILTER (WHERE state = 'running' AND lease_until < now() - interval '30 seconds') FROM runs_run"
        )
        waiting, lost = cursor.fetchone()
    fine = not waiting and not lost
    words = f"{broker}; {waiting} runs wait for more than 30 s, {lost} have lost their worker"
    return Health(name="queue", ok=fine, what=words, what_to_do="" if fine else _REMEDIES["queue"])


def _broker() -> Health:
    if not settings.BROKER_URL:
        return Health(name="broker", ok=True, what="none set: the database wakes the workers")
    with _celery().connection_for_write() as link, _answering():
        link.ensure_connection(max_retries=1, timeout=BROKER_S)
        return Health(name="broker", ok=True, what=f"{link.transport.driver_name} answers")


def _worker() -> Health:
    """A worker's listening connection asks something twice a second: that is its heartbeat."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FILTER (WHERE clock_timestamp() - state_change < make_interval(secs => %s)), count(*)"
            " FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()",
            [HEARTBEAT_S, PRESENCE],
        )
        alive, all_of_them = cursor.fetchone()
    silent = all_of_them - alive
    if settings.BROKER_URL:
        with _answering():
            alive += len(_celery().control.ping(timeout=BROKER_S))
    # In the demo no worker need run: serve starts one, and the command line works by itself.
    fine = not silent and (alive > 0 or settings.DEMO)
    words = f"{alive} alive" + (f", {silent} silent for more than {HEARTBEAT_S:.0f} s" if silent else "")
    return Health(name="worker", ok=fine, what=words, what_to_do="" if fine else _REMEDIES["worker"])


@contextmanager
def _answering() -> Iterator[None]:
    """Raises: ShownError where the broker does not answer."""
    from kombu.exceptions import OperationalError

    try:
        yield
    except OperationalError as error:
        raise ShownError("unavailable", "The broker does not answer.") from error


def _celery() -> Any:
    from dataagent.celery import app  # celery takes 0.2 s to import; only those with a broker pay for it

    return app


def _keys() -> Health:
    keys.signing_key()
    files = [keys.folder() / keys.SIGNING_FILE, Path(settings.HOME) / "secret_key", warehouses.key_file()]
    modes = {file: file.stat().st_mode & 0o777 for file in files if file.exists()}
    open_to_others = [file for file, mode in modes.items() if mode & 0o077]
    words = ", ".join(f"{file} has mode {mode:o}" for file, mode in modes.items())
    remedy = f"Run chmod 600 {' '.join(map(str, open_to_others))}" if open_to_others else ""
    return Health(name="keys", ok=not open_to_others, what=words, what_to_do=remedy)


def _warehouse() -> Health:
    found = known()
    if not found:
        return Health(name="warehouse", ok=False, what="no data yet", what_to_do=_REMEDIES["warehouse"])
    counts = [f"{slug}: {len(warehouse_for(slug).schema())} tables ({warehouse_for(slug).dialect})" for slug in found]
    return Health(name="warehouse", ok=True, what="; ".join(counts))


def _members() -> Health:
    """Whether the members of every workspace with a catalog were read, and not too long ago."""
    places = [p for p in map(accounts.workspace, known()) if p is not None and catalog.current_digest(p.id)]
    told = [(p.slug, *member_words(memberupkeep.upkeep_of(p.id), timezone.now())) for p in places]
    fine = all(ok for _, ok, _ in told)
    words = "; ".join(f"{slug}: {what}" for slug, _, what in told) or "no workspace has a catalog yet"
    return Health(name="members", ok=fine, what=words, what_to_do="" if fine else _REMEDIES["members"])


def member_words(facts: UpkeepFacts | None, now: datetime) -> tuple[bool, str]:
    """Whether the reading of a workspace's members is well, and what is told of it."""
    if facts is not None and facts.fault:
        return False, facts.fault
    if facts is None or facts.finished_at is None:
        return (True, "being read") if facts is not None and facts.going else (False, "never read")
    age_s = (now - facts.finished_at).total_seconds()
    return age_s <= 3 * settings.MEMBERS_EVERY_S or facts.going, f"read {age_s / 60:.0f} minutes ago"


def _existing(path: Path) -> Path:
    return path if path.exists() else _existing(path.parent)


CHECKS: tuple[Callable[[], Health], ...] = (
    _python,
    _settings,
    _disk,
    _database,
    _vector,
    _migrations,
    _clock,
    _broker,
    _worker,
    _queue,
    _keys,
    _warehouse,
    _members,
)

_REMEDIES = {
    "settings": "Change these settings, then start again; docs/settings.md explains each.",
    "broker": "Start the broker or correct BROKER_URL; until then the sweep of the workers finds waiting runs.",
    "worker": "Start a worker: manage.py worker (serve brings its own); end and restart one that is silent.",
    "disk": "Make room on the disk of the data folder (DATAAGENT_HOME).",
    "database": "Check DATABASE_URL, or unset it to use the embedded database.",
    "vector": "Install the pgvector extension on the database server.",
    "migrations": "Run manage.py migrate.",
    "clock": "Set the clock of this machine or of the database server.",
    "queue": "Start a worker: manage.py worker.",
    "keys": "Set DATAAGENT_KEYS to a folder that only this account can read.",
    "members": "Start a worker (manage.py worker), or run manage.py members refresh and read what it says.",
    "warehouse": "Run manage.py demo load, or correct the address in DATAAGENT_WAREHOUSES.",
}

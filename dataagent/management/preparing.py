"""Prepares the database and the demo's workspaces.  Everything may be done again; what is there is kept."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from catalog import service as catalog
from contextcards import service as cards
from dataagent.accounts import service as accounts
from dataagent.errors import ShownError
from dataagent.policy import service as policy
from dataagent.warehouse import pool

if TYPE_CHECKING:
    from fixtures.cast import DemoUser

Say = Callable[[str], object]

DEMO_DAY = date(2025, 6, 18)
NEEDED_MB = 300
FIXTURES = Path(settings.BASE_DIR) / "fixtures"


def prepare_database(say: Say) -> None:
    """Starts the database and brings its tables up to date.

    Raises: ShownError(unavailable) where the disk is full.
    """
    check_room()
    say("Starting the database")
    connection.ensure_connection()
    say("Preparing its tables")
    with one_at_a_time():
        call_command("migrate", verbosity=0, interactive=False)


def prepare_demo(say: Say, *, scale: float = 1.0) -> None:
    """Makes the demo's two workspaces with their data, people, policy, catalog and cards.

    `scale` makes the main store smaller, for tests.

    Raises: ShownError with one sentence.
    """
    from fixtures import build, cast

    _only_in_the_demo()
    company = cast.load_cast()
    with one_at_a_time():
        for slug, name in company.workspaces:
            target = Path(settings.HOME) / "warehouse" / f"{slug}.duckdb"
            try:
                if slug == "other":
                    build.build_other(target, progress=_shares(say, name))
                else:
                    build.build_demo(target, progress=_shares(say, name), scale=scale)
            except build.BuildError as error:
                raise ShownError("unavailable", str(error)) from error
            people = [u for u in company.users if u.workspace == slug]
            _prepare_people(slug, name, people)
            _prepare_meaning(slug, name, say)


def prepare_acme(say: Say, folder: Path | None = None) -> None:
    """Makes the insurance company's workspace from a folder of suites.

    Raises: ShownError with one sentence.
    """
    from fixtures.acme import workspace

    _only_in_the_demo()
    with one_at_a_time():
        workspace.prepare(folder or Path(settings.SUITES), progress=lambda line: _tell(say, line))


def _only_in_the_demo() -> None:
    if not settings.DEMO:
        raise ShownError("not_permitted", "Demo data bring people without passwords: they load in demo mode only.")


def is_prepared(slug: str) -> bool:
    """Whether the workspace is there, with data."""
    return slug in pool.known() and accounts.workspace(slug) is not None


def check_room() -> None:
    """Raises: ShownError(unavailable) where the data folder has no room left."""
    home = Path(settings.HOME)
    try:
        home.mkdir(parents=True, exist_ok=True)
        Path(settings.STATIC_ROOT).mkdir(exist_ok=True)
        free_mb = shutil.disk_usage(home).free // 1_000_000
    except OSError as error:
        raise ShownError("unavailable", f"The data folder {home} cannot be used: {error.strerror}.") from error
    if free_mb < NEEDED_MB:
        raise ShownError(
            "unavailable",
            f"The disk is full: {home} has {free_mb} MB left and needs {NEEDED_MB} MB. Make room and start again.",
        )


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Lets one process of this data folder prepare; others wait for it."""
    path = Path(settings.HOME) / "preparing.lock"
    with path.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _prepare_people(slug: str, name: str, people: list[DemoUser]) -> None:
    place = accounts.create_workspace(slug, name=name, today=DEMO_DAY)
    for person in people:
        account = accounts.user(person.user) or accounts.create_user(person.user, name=person.name)
        accounts.set_member(place.id, account.id, roles=person.roles, attributes=dict(person.attributes))


def _prepare_meaning(slug: str, name: str, say: Say) -> None:
    place = accounts.create_workspace(slug, name=name, today=DEMO_DAY)
    home = FIXTURES if slug == "demo" else FIXTURES / slug
    say(f"{name}: policy, catalog and context cards")
    policy.load_policy(place.id, FIXTURES / "policies" / f"{slug}.yaml")
    catalog.publish_folder(place.id, home / "catalog")
    cards.load_demo(place.id, home)


def _tell(say: Say, line: str) -> None:
    say(line)


def _shares(say: Say, name: str) -> Callable[[str, float], None]:
    """A progress function that speaks once per label."""
    told: set[str] = set()

    def progress(label: str, _share: float) -> None:
        if label not in told:
            told.add(label)
            say(f"{name}: {label}")

    return progress

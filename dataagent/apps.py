"""The project's own app: the checks that keep an unsafe installation from starting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks

TAG = "deployment"


class DataagentConfig(AppConfig):
    """The project's place in Django."""

    name = "dataagent"

    def ready(self) -> None:
        """Registers the checks; every command runs those that need no database."""
        checks.register(_settings_are_safe, TAG)
        checks.register(_accounts_are_closed, TAG)
        checks.register(_budgets_can_be_read, TAG)


def reasons_not_to_start() -> tuple[str, ...]:
    """One sentence per reason; empty where it is safe to start.  Asks the database, too."""
    found = checks.run_checks(tags=[TAG], databases=["default"])
    return tuple(str(message.msg) for message in found if message.is_serious())


def _settings_are_safe(**_: Any) -> list[checks.CheckMessage]:
    from django.conf import settings

    from dataagent.deployment import problems

    return [checks.Error(words, id=name) for name, words in problems(settings.DEPLOYMENT)]


def _budgets_can_be_read(**_: Any) -> list[checks.CheckMessage]:
    from django.conf import settings

    from dataagent.runs.budgets import usage_of

    found: list[checks.CheckMessage] = []
    for scope, text in settings.BUDGETS.items():
        try:
            usage_of(text)
        except ValueError as error:
            found.append(checks.Error(f"DATAAGENT_BUDGET_{scope.upper()}: {error}", id="deployment.budget"))
    return found


def _accounts_are_closed(*, databases: Sequence[str] | None = None, **_: Any) -> list[checks.CheckMessage]:
    """Nothing where no database may be asked, or where there are no tables yet."""
    from django.conf import settings
    from django.db import DatabaseError

    from dataagent.accounts import service as accounts
    from dataagent.deployment import Mode, open_accounts

    if not databases or settings.DEPLOYMENT.mode != Mode.PRODUCTION:
        return []
    try:
        names = accounts.names_without_password()
    except DatabaseError:
        return []
    return [checks.Error(words, id=name) for name, words in open_accounts(settings.DEPLOYMENT.mode, names)]

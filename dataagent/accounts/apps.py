"""Django app of this room."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The room's place in Django."""

    name = "dataagent.accounts"
    label = "accounts"

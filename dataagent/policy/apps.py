"""Django app of this room."""

from django.apps import AppConfig


class PolicyConfig(AppConfig):
    """The room's place in Django."""

    name = "dataagent.policy"
    label = "policy"

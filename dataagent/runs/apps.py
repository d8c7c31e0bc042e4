"""Django app of this room."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """The room's place in Django."""

    name = "dataagent.runs"
    label = "runs"

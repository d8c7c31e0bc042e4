"""Django's PostgreSQL backend, with the embedded server started at the first connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import psycopg
from django.db.backends.postgresql import base

from dataagent.embedded import server


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that brings its server along."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A new connection to the embedded server, which is started if need be."""
        folder = Path(self.settings_dict["OPTIONS_DATA_FOLDER"])
        given = {**conn_params, "host": server.start(folder)}
        try:
            return super().get_new_connection(given)
        except psycopg.OperationalError:
            if not server.start_again(folder):
                raise
            return super().get_new_connection(given)

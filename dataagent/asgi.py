"""The ASGI application.  It is not there where an installation is unsafe to start."""

import os
import warnings
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.core.asgi import get_asgi_application

from dataagent.body_limit import limited

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dataagent.settings")

# Static files are small and come from memory: that they are read synchronously is meant.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

_application = get_asgi_application()


def _reasons() -> tuple[str, ...]:
    from django.db import connection

    from dataagent.apps import reasons_not_to_start

    try:
        return reasons_not_to_start()
    finally:
        connection.close()


# A thread of its own: web servers import this inside their event loop, where Django asks no database.
with ThreadPoolExecutor(1) as _thread:
    if _found := _thread.submit(_reasons).result():
        raise SystemExit("\n".join(_found))

application = limited(_application, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)

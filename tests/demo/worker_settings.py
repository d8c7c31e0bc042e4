"""The product's settings on the database of the tests, for processes that a test starts."""

from __future__ import annotations

import json
import os

from dataagent.settings import *  # noqa: F403 (settings modules are read whole)

DATABASES = json.loads(os.environ["TEST_DATABASES"])

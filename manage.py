#!/usr/bin/env python3
"""The command line of the product."""

import os
import sys


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dataagent.settings")
    from django.conf import settings
    from django.core.management import execute_from_command_line

    try:
        settings.HOME  # noqa: B018 (reads the settings, which may be wrong)
    except (RuntimeError, ValueError) as error:
        sys.exit(f"The settings cannot be used: {error}")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

"""The test database lets its tables be emptied, which the audit's own trigger refuses; no other database is touched."""

from __future__ import annotations

from django.db import connection


def is_test_database() -> bool:
    """Whether the connection is to a database that the test runner made."""
    return str(connection.settings_dict["NAME"]).startswith("test_")


def allow_emptying() -> None:
    """Tests with several connections empty all tables after them.  Nothing where this is the product's own database."""
    if not is_test_database():
        return
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE policy_auditentry DISABLE TRIGGER policy_audit_is_never_emptied")

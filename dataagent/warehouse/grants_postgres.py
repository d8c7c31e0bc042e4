"""What a PostgreSQL database grants to its roles for reading, from its catalogs alone: never a row."""

from __future__ import annotations

from collections import defaultdict

from psycopg import Error

from dataagent.policy.grants import EngineGrant, RowPolicy
from dataagent.warehouse.port import WarehouseFault
from dataagent.warehouse.postgres_link import Address, Link, Session, read_only
from dataagent.warehouse.process import fault

_TIMEOUT_S = 60.0
_TABLES = """
SELECT r.rolname, c.oid, n.nspname || '.' || c.relname, c.relrowsecurity, c.relkind IN ('v', 'f'),
  array_agg(a.attname ORDER BY a.attnum)
FROM pg_catalog.pg_roles r
CROSS JOIN pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE NOT r.rolsuper AND left(r.rolname, 3) <> 'pg_'
  AND c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition
  AND left(n.nspname, 3) <> 'pg_' AND n.nspname <> 'information_schema'
  AND has_schema_privilege(r.oid, n.oid, 'USAGE') AND has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT')
  AND (cardinality($1::text[]) = 0 OR r.rolname = ANY ($1::text[]))
GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 3
"""
_POLICIES = """
SELECT r.rolname, p.polrelid, p.polname, COALESCE(pg_get_expr(p.polqual, p.polrelid), 'true'), p.polpermissive
FROM pg_catalog.pg_policy p CROSS JOIN pg_catalog.pg_roles r
WHERE p.polcmd IN ('r', '*')
  AND EXISTS (SELECT FROM unnest(p.polroles) AS held(oid) WHERE held.oid = 0 OR pg_has_role(r.oid, held.oid, 'USAGE'))
ORDER BY 3
"""


def grants_at(url: str, roles: tuple[str, ...] = ()) -> tuple[EngineGrant, ...]:
    """What each of the roles, or every role that is no superuser, may read, by table.

    Only the engine's own catalogs are read, so any login will do.  Raises: WarehouseFault.
    """
    try:
        link = Link(Address.of(url))
    except (Error, OSError):
        raise fault("unreachable") from None
    try:
        with link.limited(_TIMEOUT_S), read_only(link, Session(timeout_s=_TIMEOUT_S)):
            return _read(link, list(roles))
    except Error as error:
        raise WarehouseFault(link.code_of(error), "The warehouse did not tell its grants.") from None
    finally:
        link.close()


def _read(link: Link, roles: list[str]) -> tuple[EngineGrant, ...]:
    cursor = link.cursor()
    policies: defaultdict[tuple[str, int], list[RowPolicy]] = defaultdict(list)
    for role, table, name, condition, permissive in cursor.execute(_POLICIES, []).fetchall():
        policies[role, table].append(RowPolicy(name=name, condition=condition, permissive=permissive))
    return tuple(
        EngineGrant(
            role=role,
            table=name,
            columns=tuple(columns),
            secured=secured,
            shifting=shifting,
            policies=tuple(policies[role, oid]) if secured else (),
        )
        for role, oid, name, secured, shifting, columns in cursor.execute(_TABLES, [roles]).fetchall()
    )

"""Whose access somebody looked at is personal too: the entry can be erased to a tombstone, as readings can."""

from django.db import migrations

NOW = """
CREATE OR REPLACE FUNCTION policy_keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
        RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF OLD.erased_at IS NOT NULL OR NEW.erased_at IS NULL
       OR NEW."by" <> '' OR NEW.subject <> '' OR NEW.details <> ''
       OR OLD.kind NOT IN ('denied', 'run_read', 'receipt_read', 'manifest_read', 'exported', 'access_previewed')
       OR (NEW.id, NEW.workspace_id, NEW.sequence, NEW.kind, NEW.at, NEW.content_digest, NEW.previous_digest, NEW.digest)
          IS DISTINCT FROM
          (OLD.id, OLD.workspace_id, OLD.sequence, OLD.kind, OLD.at, OLD.content_digest, OLD.previous_digest, OLD.digest)
    THEN
        RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
"""

BEFORE = """
CREATE OR REPLACE FUNCTION policy_keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP IN ('DELETE', 'TRUNCATE') THEN
        RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF OLD.erased_at IS NOT NULL OR NEW.erased_at IS NULL
       OR NEW."by" <> '' OR NEW.subject <> '' OR NEW.details <> ''
       OR OLD.kind NOT IN ('denied', 'run_read', 'receipt_read', 'manifest_read', 'exported')
       OR (NEW.id, NEW.workspace_id, NEW.sequence, NEW.kind, NEW.at, NEW.content_digest, NEW.previous_digest, NEW.digest)
          IS DISTINCT FROM
          (OLD.id, OLD.workspace_id, OLD.sequence, OLD.kind, OLD.at, OLD.content_digest, OLD.previous_digest, OLD.digest)
    THEN
        RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("policy", "0006_audit_tells_of_previews")]

    operations = [migrations.RunSQL(NOW, BEFORE)]

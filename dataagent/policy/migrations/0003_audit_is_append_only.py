"""Entries of the audit are added, and nothing else: the database refuses all but erasing the personal part, once."""

from django.db import migrations

FORBID = """
CREATE FUNCTION policy_keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER policy_audit_entry_is_kept BEFORE UPDATE OR DELETE ON policy_auditentry
    FOR EACH ROW EXECUTE FUNCTION policy_keep_audit_entry();
CREATE TRIGGER policy_audit_is_never_emptied BEFORE TRUNCATE ON policy_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION policy_keep_audit_entry();
"""

ALLOW = """
DROP TRIGGER policy_audit_entry_is_kept ON policy_auditentry;
DROP TRIGGER policy_audit_is_never_emptied ON policy_auditentry;
DROP FUNCTION policy_keep_audit_entry();
"""


class Migration(migrations.Migration):
    dependencies = [("policy", "0002_audit_entries")]

    operations = [migrations.RunSQL(FORBID, ALLOW)]

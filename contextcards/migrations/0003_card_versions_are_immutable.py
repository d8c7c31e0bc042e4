"""A published card version keeps its content for ever; only its current mark may move."""

from django.db import migrations

FORBID = """
CREATE FUNCTION contextcards_keep_card_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE'
       OR NEW.workspace_id <> OLD.workspace_id OR NEW."table" <> OLD."table" OR NEW.version <> OLD.version
       OR NEW.content <> OLD.content OR NEW.digest <> OLD.digest OR NEW.source_digest <> OLD.source_digest
       OR NEW.published_by <> OLD.published_by OR NEW.published_at <> OLD.published_at OR NEW.note <> OLD.note
    THEN
        RAISE EXCEPTION 'a published card version is immutable' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER contextcards_card_version_is_immutable BEFORE UPDATE OR DELETE ON contextcards_cardversion
    FOR EACH ROW EXECUTE FUNCTION contextcards_keep_card_version();
"""

ALLOW = """
DROP TRIGGER contextcards_card_version_is_immutable ON contextcards_cardversion;
DROP FUNCTION contextcards_keep_card_version();
"""


class Migration(migrations.Migration):
    dependencies = [("contextcards", "0002_cards_documents_passages")]

    operations = [migrations.RunSQL(FORBID, ALLOW)]

"""The journal, cash movements and authorisations never change: PostgreSQL refuses it."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
"""


def guard(table: str) -> str:
    """Give the SQL of the triggers that refuse every change of a table's rows."""
    return f"""
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE {table} ENABLE ALWAYS TRIGGER append_only_whole;
"""


def unguard(table: str) -> str:
    """Give the SQL that takes the triggers away."""
    return f"DROP TRIGGER append_only ON {table}; DROP TRIGGER append_only_whole ON {table};"


TABLES = ("halls_journalentry", "halls_cashmovement", "halls_authorisation")


class Migration(migrations.Migration):
    dependencies = [("halls", "0001_initial")]
    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION refuse_change();"),
        *(migrations.RunSQL(guard(table), unguard(table)) for table in TABLES),
    ]

"""Roles follow the journal: the application cannot change them by itself."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0008_rights.sql"


class Migration(migrations.Migration):
    dependencies = [("halls", "0007_sign_in")]

    # No way back: a guard is not taken away.
    operations = [migrations.RunSQL(SQL.read_text(encoding="utf-8"))]

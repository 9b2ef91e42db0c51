"""Balls and prizes go where the journal says so: the application cannot delete them by itself."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0004_rights.sql"


class Migration(migrations.Migration):
    dependencies = [("draws", "0003_taken_back"), ("halls", "0008_rights")]

    # No way back: a guard is not taken away.
    operations = [migrations.RunSQL(SQL.read_text(encoding="utf-8"))]

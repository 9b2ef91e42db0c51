"""A sale may go where the journal says that it was taken back."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0003_taken_back.sql"


class Migration(migrations.Migration):
    dependencies = [("draws", "0002_guards"), ("halls", "0003_taken_back")]

    # No way back: a guard is not taken away.
    operations = [migrations.RunSQL(SQL.read_text(encoding="utf-8"))]

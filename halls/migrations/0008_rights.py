"""Roles, and what proves who somebody is, follow the journal: the application changes neither by itself."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"
FILES = ("0008_rights.sql", "0008_sign_in_told.sql")


class Migration(migrations.Migration):
    dependencies = [("halls", "0007_sign_in")]

    # No way back: a guard is not taken away.
    operations = [migrations.RunSQL((SQL / name).read_text(encoding="utf-8")) for name in FILES]

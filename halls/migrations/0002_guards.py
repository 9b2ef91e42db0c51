"""What PostgreSQL refuses beyond the models' constraints; the files of `sql` say it in full."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"
FILES = (
    "0002_append_only.sql",
    "0002_linked_jackpots.sql",
    "0002_retention.sql",
    "0002_training.sql",
)


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0001_initial"),
    ]

    # No way back: a guard is not taken away.
    operations = [migrations.RunSQL((SQL / name).read_text(encoding="utf-8")) for name in FILES]

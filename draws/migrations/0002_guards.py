"""What PostgreSQL refuses beyond the models' constraints; the files of `sql` say it in full."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"
FILES = (
    "0002_append_only.sql",
    "0002_balls.sql",
    "0002_rectifications.sql",
    "0002_sales.sql",
    "0002_unclaimed.sql",
)


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0001_initial"),
        ("halls", "0002_guards"),
    ]

    # No way back: a guard is not taken away.
    operations = [migrations.RunSQL((SQL / name).read_text(encoding="utf-8")) for name in FILES]

"""What witnesses cosigned, a line each; rows are never changed."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

SQL = Path(__file__).parent / "sql" / "0004_witnesses.sql"


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0003_taken_back"),
    ]

    operations = [
        migrations.CreateModel(
            name="Cosignature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("witness", models.CharField(max_length=100)),
                ("line", models.TextField()),
                (
                    "checkpoint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cosignatures",
                        to="halls.checkpoint",
                    ),
                ),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.hall",
                    ),
                ),
            ],
            options={
                "ordering": ["hall", "checkpoint", "witness"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("checkpoint", "witness"), name="cosignature_once_a_witness"
                    )
                ],
            },
        ),
        migrations.RunSQL(SQL.read_text(encoding="utf-8")),
    ]

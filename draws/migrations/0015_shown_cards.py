"""The picture of a called card, as the hall saw it while it was checked; it never changes."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0014_exports"),
        ("halls", "0021_jackpots_under_four_eyes"),
    ]

    operations = [
        migrations.CreateModel(
            name="ShownCard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("picture", models.CharField(max_length=64)),
                ("seen_at", models.DateTimeField()),
                (
                    "claim",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shown",
                        to="draws.claimcheck",
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.journalentry",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("picture__regex", "^[0-9a-f]{64}$")),
                        name="shown_card_has_picture",
                    )
                ],
            },
        ),
        migrations.RunSQL(guards.guard("draws_showncard"), guards.unguard("draws_showncard")),
    ]

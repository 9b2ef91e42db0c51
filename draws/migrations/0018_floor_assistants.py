"""Called cards brought to the table, and used ones collected: who did it never changes."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0017_unclaimed"),
        ("halls", "0032_floor_assistants"),
    ]

    operations = [
        migrations.CreateModel(
            name="CardCollection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("cards", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.journalentry",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="collections",
                        to="draws.game",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CarriedCard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("call", models.PositiveIntegerField()),
                ("card", models.PositiveIntegerField()),
                ("place", models.CharField(blank=True, max_length=40)),
                ("at", models.DateTimeField()),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.journalentry",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="carried_cards",
                        to="draws.game",
                    ),
                ),
                (
                    "issue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="draws.issue",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "call", "issue", "card"), name="card_carried_once_a_call"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("card__gt", 0)), name="carried_card_positive"
                    ),
                ],
            },
        ),
        *(
            migrations.RunSQL(guards.guard(table), guards.unguard(table))
            for table in ("draws_cardcollection", "draws_carriedcard")
        ),
    ]

"""Signed heads of the journals, which never change, and how far each place has them."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0014_linked_jackpots"),
    ]

    operations = [
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("note", models.TextField()),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoint",
                        to="halls.journalentry",
                    ),
                ),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoints",
                        to="halls.hall",
                    ),
                ),
            ],
            options={
                "ordering": ["hall", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("hall", "number"), name="checkpoint_once_an_entry"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckpointPlace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.CharField(max_length=400)),
                ("number", models.BigIntegerField(default=0)),
                ("fault", models.CharField(blank=True, max_length=40)),
                ("cause", models.CharField(blank=True, max_length=200)),
                ("since", models.DateTimeField(null=True)),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoint_places",
                        to="halls.hall",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "place"), name="checkpoint_place_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("fault", ""), ("since__isnull", False), _connector="OR"
                        ),
                        name="checkpoint_fault_since",
                    ),
                ],
            },
        ),
        migrations.RunSQL(guards.guard("halls_checkpoint"), guards.unguard("halls_checkpoint")),
    ]

"""What becomes of cards after their game; how they left, and what was set aside, never changes."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")

TABLES = ("draws_useddestruction", "draws_setaside", "draws_departure")


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0010_camera_salt"),
        ("halls", "0011_distributions"),
    ]

    operations = [
        migrations.CreateModel(
            name="Case",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("reference", models.CharField(max_length=120)),
                ("reason", models.CharField(max_length=500)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, max_length=500)),
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
                        related_name="cases",
                        to="draws.game",
                    ),
                ),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="halls.hall",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Departure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("card", models.PositiveIntegerField()),
                ("how", models.CharField(max_length=12)),
                ("at", models.DateTimeField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="departures",
                        to="halls.journalentry",
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
        ),
        migrations.CreateModel(
            name="SetAside",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("card", models.PositiveIntegerField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="set_aside",
                        to="draws.case",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="set_aside",
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
        ),
        migrations.CreateModel(
            name="UsedDestruction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("cards", models.PositiveIntegerField()),
                ("missing", models.PositiveIntegerField()),
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
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="used_destruction",
                        to="draws.game",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                fields=("hall", "number"), name="case_number_once_a_hall"
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gt", 0)), name="case_number_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("outcome", "")),
                    models.Q(
                        ("closed_at__isnull", False), models.Q(("outcome", ""), _negated=True)
                    ),
                    _connector="OR",
                ),
                name="case_closed_with_outcome",
            ),
        ),
        migrations.AddConstraint(
            model_name="departure",
            constraint=models.UniqueConstraint(
                fields=("issue", "card"), name="card_leaves_shelf_once_r52"
            ),
        ),
        migrations.AddConstraint(
            model_name="departure",
            constraint=models.CheckConstraint(
                condition=models.Q(("how__in", ["destroyed", "handed_over"])),
                name="departure_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="setaside",
            constraint=models.UniqueConstraint(
                fields=("issue", "card"), name="card_set_aside_once_r51"
            ),
        ),
        *(migrations.RunSQL(guards.guard(table), guards.unguard(table)) for table in TABLES),
    ]

"""Ball sets and equipment, the checks of it, which never change, and its breakdowns."""

from importlib import import_module

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0007_policy_of_the_draw"),
    ]

    operations = [
        migrations.CreateModel(
            name="Device",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("kind", models.CharField(max_length=20)),
                ("maker", models.CharField(blank=True, max_length=60)),
                ("approval", models.CharField(blank=True, max_length=60)),
                ("registered_at", models.DateTimeField()),
                ("retired_at", models.DateTimeField(null=True)),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="devices",
                        to="halls.hall",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Breakdown",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("opened_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("remedy", models.CharField(blank=True, max_length=500)),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.journalentry",
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="breakdowns",
                        to="halls.device",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="BallSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("serial", models.CharField(max_length=40)),
                ("format", models.PositiveSmallIntegerField()),
                ("maker", models.CharField(blank=True, max_length=60)),
                ("model", models.CharField(blank=True, max_length=60)),
                ("approval", models.CharField(blank=True, max_length=60)),
                (
                    "marks",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(), default=list, size=None
                    ),
                ),
                ("zeros", models.BooleanField(default=False)),
                ("standing", models.CharField(default="kept", max_length=10)),
                ("fit", models.BooleanField(default=True)),
                ("games", models.PositiveIntegerField(default=0)),
                ("registered_at", models.DateTimeField()),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ball_sets",
                        to="halls.hall",
                    ),
                ),
                (
                    "extractor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ball_sets",
                        to="halls.device",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="EquipmentCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("items", models.JSONField()),
                ("passed", models.BooleanField()),
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
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="equipment_checks",
                        to="halls.hall",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CheckTick",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("name", models.CharField(blank=True, max_length=60)),
                ("ok", models.BooleanField(null=True)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="check_ticks",
                        to="halls.hall",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("hall", "kind", "name"), name="check_item_ticked_once"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="device",
            constraint=models.UniqueConstraint(
                fields=("hall", "name"), name="device_name_once_a_hall"
            ),
        ),
        migrations.AddConstraint(
            model_name="device",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "pneumatic",
                            "manual",
                            "rng",
                            "camera",
                            "screen",
                            "board",
                            "sound",
                            "printer",
                            "other",
                        ],
                    )
                ),
                name="device_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="breakdown",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("device",),
                name="one_open_breakdown_a_device",
            ),
        ),
        migrations.AddConstraint(
            model_name="breakdown",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("remedy", "")),
                    models.Q(("ended_at__isnull", False), models.Q(("remedy", ""), _negated=True)),
                    _connector="OR",
                ),
                name="breakdown_ended_with_remedy",
            ),
        ),
        migrations.AddConstraint(
            model_name="ballset",
            constraint=models.UniqueConstraint(
                fields=("hall", "serial"), name="ball_set_serial_once_a_hall_r22"
            ),
        ),
        migrations.AddConstraint(
            model_name="ballset",
            constraint=models.UniqueConstraint(
                condition=models.Q(("standing", "in_use")),
                fields=("hall", "format"),
                name="one_ball_set_in_use_a_format",
            ),
        ),
        migrations.AddConstraint(
            model_name="ballset",
            constraint=models.CheckConstraint(
                condition=models.Q(("standing__in", ["kept", "in_use", "retired"])),
                name="ball_set_standing_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ballset",
            constraint=models.CheckConstraint(
                condition=models.Q(("format__in", [90, 80, 75, 30])), name="ball_set_format_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="ballset",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("extractor__isnull", True), ("standing", "in_use"), _connector="OR"
                ),
                name="ball_set_in_an_extractor_is_in_use",
            ),
        ),
        migrations.RunSQL(
            guards.guard("halls_equipmentcheck"), guards.unguard("halls_equipmentcheck")
        ),
    ]

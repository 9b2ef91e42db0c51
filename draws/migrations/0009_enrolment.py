"""Balls shown to a camera, and the certificates that came of it, which never change."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0008_ball_set"),
        ("halls", "0008_equipment"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Enrolment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("enrol", "Enrol"),
                            ("opening", "Opening"),
                            ("closing", "Closing"),
                        ],
                        max_length=10,
                    ),
                ),
                ("begun_at", models.DateTimeField()),
                ("minded_at", models.DateTimeField(null=True)),
                ("troubled", models.CharField(blank=True, max_length=30)),
                ("ended_at", models.DateTimeField(null=True)),
                ("given_up", models.BooleanField(default=False)),
                ("key", models.UUIDField(unique=True)),
                (
                    "ball_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="enrolments",
                        to="halls.ballset",
                    ),
                ),
                (
                    "begun_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "camera",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="enrolments",
                        to="draws.camera",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Certificate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("threshold", models.PositiveSmallIntegerField()),
                ("model", models.CharField(max_length=64)),
                ("paper", models.CharField(max_length=64)),
                ("found", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "ball_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="certificates",
                        to="halls.ballset",
                    ),
                ),
                (
                    "camera",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="certificates",
                        to="draws.camera",
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
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="camera_certificates",
                        to="halls.hall",
                    ),
                ),
                (
                    "enrolment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="certificate",
                        to="draws.enrolment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ShownBall",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stay", models.PositiveIntegerField()),
                ("number", models.PositiveSmallIntegerField(null=True)),
                ("dismissed", models.BooleanField(default=False)),
                ("plain", models.JSONField()),
                ("padded", models.JSONField()),
                ("marked", models.PositiveSmallIntegerField(default=0)),
                ("angle", models.PositiveSmallIntegerField(default=0)),
                ("middle_x", models.PositiveIntegerField()),
                ("middle_y", models.PositiveIntegerField()),
                ("radius", models.PositiveIntegerField()),
                ("picture", models.CharField(max_length=64)),
                ("seen_at", models.DateTimeField()),
                ("key", models.UUIDField(unique=True)),
                (
                    "enrolment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shown",
                        to="draws.enrolment",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="enrolment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("camera",),
                name="one_open_enrolment_a_camera",
            ),
        ),
        migrations.AddConstraint(
            model_name="enrolment",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", ["enrol", "opening", "closing"])),
                name="enrolment_purpose_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="enrolment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("given_up", False), ("ended_at__isnull", False), _connector="OR"
                ),
                name="enrolment_given_up_has_ended",
            ),
        ),
        migrations.AddConstraint(
            model_name="certificate",
            constraint=models.CheckConstraint(
                condition=models.Q(("threshold__lte", 1000)), name="certificate_threshold_per_mille"
            ),
        ),
        migrations.AddIndex(
            model_name="shownball",
            index=models.Index(fields=["enrolment", "stay"], name="shown_ball_by_stay"),
        ),
        migrations.AddConstraint(
            model_name="shownball",
            constraint=models.CheckConstraint(
                condition=models.Q(("dismissed", False), ("number__isnull", True), _connector="OR"),
                name="dismissed_ball_has_no_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="shownball",
            constraint=models.CheckConstraint(
                condition=models.Q(("marked__lte", 1000)), name="shown_ball_mark_per_mille"
            ),
        ),
        migrations.RunSQL(guards.guard("draws_certificate"), guards.unguard("draws_certificate")),
    ]

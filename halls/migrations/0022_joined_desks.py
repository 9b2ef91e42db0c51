"""An inspector's accounts in several halls, joined."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0021_jackpots_under_four_eyes"),
    ]

    operations = [
        migrations.CreateModel(
            name="JoinedDesk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("proof", models.CharField(max_length=64)),
                ("other_proof", models.CharField(max_length=64)),
                ("joined_at", models.DateTimeField()),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="halls.hall",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="desks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person", "other"), name="desk_joined_once"),
                    models.CheckConstraint(
                        condition=models.Q(("person", models.F("other")), _negated=True),
                        name="desk_of_another_account",
                    ),
                ],
            },
        ),
    ]

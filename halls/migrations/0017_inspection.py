"""What the inspector's desk asks of the journal is found by an index; a sale writes fewer of them."""

from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")

TOLD = [
    "note_recorded",
    "command_refused",
    "clock_anomaly",
    "game_suspended",
    "game_voided",
    "ball_recalled",
    "breakdown_opened",
    "camera_fault",
    "cards_written_off",
    "equipment_waived",
    "acta_acknowledged",
    "acta_remarked",
    "remark_answered",
]


class Migration(migrations.Migration):
    dependencies = [("halls", "0016_cash_step")]

    operations = [
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["hall", "opened_at"], name="session_of_a_day"),
        ),
        migrations.AddIndex(
            model_name="journalentry",
            index=models.Index(fields=["by", "number"], name="journal_of_a_person"),
        ),
        migrations.AddIndex(
            model_name="journalentry",
            index=models.Index(
                condition=models.Q(("kind__in", TOLD)),
                fields=["session", "number"],
                name="journal_told_of_a_session",
            ),
        ),
        migrations.AddIndex(
            model_name="cashmovement",
            index=models.Index(fields=["amount", "id"], name="cash_of_an_amount"),
        ),
        # Of a session, a hall or a person an index begins with the same field: theirs are enough.
        migrations.AlterField(
            model_name="journalentry",
            name="by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="journalentry",
            name="hall",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="journal",
                to="halls.hall",
            ),
        ),
        migrations.AlterField(
            model_name="journalentry",
            name="session",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="journal",
                to="halls.session",
            ),
        ),
        migrations.CreateModel(
            name="Look",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("method", models.CharField(max_length=10)),
                ("route", models.CharField(max_length=50)),
                ("path", models.CharField(max_length=1000)),
                ("source", models.CharField(blank=True, max_length=45)),
                (
                    "hall",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.hall",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["hall", "id"], name="look_of_a_hall"),
                    models.Index(fields=["person", "route", "at"], name="look_of_a_person"),
                ],
            },
        ),
        migrations.RunSQL(guards.guard("halls_look"), guards.unguard("halls_look")),
    ]

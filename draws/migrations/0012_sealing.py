"""Actas name the key and the level of their seal; rectifications; why something is not sealed."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")

TABLES = ("draws_rectification", "draws_rectifiedacta")

# A rectification rests on one that exists.
CHAIN = """
ALTER TABLE draws_rectification ADD CONSTRAINT rectification_follows_one
    FOREIGN KEY (session_id, previous) REFERENCES draws_rectification (session_id, number);
"""
UNCHAIN = "ALTER TABLE draws_rectification DROP CONSTRAINT rectification_follows_one;"


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0011_custody"),
        ("halls", "0016_cash_step"),
    ]

    operations = [
        migrations.CreateModel(
            name="Rectification",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("previous", models.PositiveIntegerField(null=True)),
                ("rectifies", models.CharField(max_length=64)),
                ("reason", models.CharField(max_length=500)),
                ("what", models.CharField(max_length=4000)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="RectifiedActa",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pdf", models.BinaryField()),
                ("digest", models.CharField(max_length=64)),
                ("head_number", models.BigIntegerField()),
                ("head_digest", models.CharField(max_length=64)),
                ("certificate", models.TextField()),
                ("sealed_at", models.DateTimeField()),
                ("key", models.PositiveIntegerField(default=1)),
                ("level", models.CharField(default="B-B", max_length=5)),
            ],
        ),
        migrations.CreateModel(
            name="SealFault",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=40)),
                ("attempts", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("next_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="acta",
            name="key",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="acta",
            name="level",
            field=models.CharField(default="B-B", max_length=5),
        ),
        migrations.AddConstraint(
            model_name="acta",
            constraint=models.CheckConstraint(
                condition=models.Q(("key__gt", 0)), name="acta_key_counts_from_one"
            ),
        ),
        migrations.AddField(
            model_name="rectification",
            name="entry",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="halls.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="rectification",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rectifications",
                to="halls.session",
            ),
        ),
        migrations.AddField(
            model_name="rectifiedacta",
            name="entry",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="halls.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="rectifiedacta",
            name="rectification",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="acta",
                to="draws.rectification",
            ),
        ),
        migrations.AddField(
            model_name="sealfault",
            name="rectification",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="seal_faults",
                to="draws.rectification",
            ),
        ),
        migrations.AddField(
            model_name="sealfault",
            name="session",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="seal_faults",
                to="halls.session",
            ),
        ),
        migrations.AddConstraint(
            model_name="rectification",
            constraint=models.UniqueConstraint(
                fields=("session", "number"), name="rectification_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="rectification",
            constraint=models.UniqueConstraint(
                fields=("session", "previous"), name="rectifications_chained", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="rectification",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("number", 1), ("previous__isnull", True)),
                    models.Q(
                        (
                            "number",
                            django.db.models.expressions.CombinedExpression(
                                models.F("previous"), "+", models.Value(1)
                            ),
                        ),
                        ("previous__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="rectification_follows",
            ),
        ),
        migrations.AddConstraint(
            model_name="rectification",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reason", ""), _negated=True), models.Q(("what", ""), _negated=True)
                ),
                name="rectification_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="rectifiedacta",
            constraint=models.CheckConstraint(
                condition=models.Q(("head_number__gt", 0)), name="rectified_has_a_head"
            ),
        ),
        migrations.AddConstraint(
            model_name="rectifiedacta",
            constraint=models.CheckConstraint(
                condition=models.Q(("key__gt", 0)), name="rectified_key_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="sealfault",
            constraint=models.UniqueConstraint(
                fields=("session", "rectification"), name="seal_fault_once", nulls_distinct=False
            ),
        ),
        migrations.RunSQL(CHAIN, UNCHAIN),
        *(migrations.RunSQL(guards.guard(table), guards.unguard(table)) for table in TABLES),
    ]

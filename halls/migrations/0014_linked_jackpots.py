"""Jackpots that several halls add to together; their movements are chained, and never change."""

from importlib import import_module

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")

# A movement goes on from the number and the balance of the one before, or cannot be written.
CHAIN = """
ALTER TABLE halls_linkmovement ADD CONSTRAINT link_movement_chained
    FOREIGN KEY (link_id, previous, before)
    REFERENCES halls_linkmovement (link_id, number, balance);
"""
UNCHAIN = "ALTER TABLE halls_linkmovement DROP CONSTRAINT link_movement_chained;"


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0013_payments"),
    ]

    operations = [
        migrations.CreateModel(
            name="Link",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.SlugField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("currency", models.CharField(max_length=3)),
                ("rulebook", models.CharField(max_length=50)),
                ("limit", models.PositiveSmallIntegerField()),
                ("base", models.BigIntegerField()),
                ("balance", models.BigIntegerField(default=0)),
                ("head_number", models.BigIntegerField(default=0)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("balance__gte", 0)), name="link_balance_not_negative"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("base__gte", 0)), name="link_base_not_negative"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("head_number__gte", 0)), name="link_head_not_negative"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at__isnull", True), ("balance", 0), _connector="OR"
                        ),
                        name="link_ended_holds_nothing",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LinkMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("waiting", models.BigIntegerField(default=0)),
                ("reference", models.CharField(max_length=200)),
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
                        related_name="links",
                        to="halls.hall",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="members",
                        to="halls.link",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("link", "hall"), name="hall_once_in_a_link"),
                    models.CheckConstraint(
                        condition=models.Q(("waiting__gte", 0)), name="link_waiting_not_negative"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LinkMovement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.BigIntegerField()),
                ("previous", models.BigIntegerField(null=True)),
                ("kind", models.CharField(max_length=12)),
                ("amount", models.BigIntegerField()),
                ("before", models.BigIntegerField()),
                ("balance", models.BigIntegerField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="link_movements",
                        to="halls.journalentry",
                    ),
                ),
                (
                    "hall",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="link_movements",
                        to="halls.hall",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="movements",
                        to="halls.link",
                    ),
                ),
            ],
            options={
                "ordering": ["link", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("link", "number"), name="link_movement_number_once"
                    ),
                    models.UniqueConstraint(
                        fields=("entry", "kind"), name="link_movement_once_an_entry"
                    ),
                    models.UniqueConstraint(
                        fields=("link", "number", "balance"), name="link_movement_follows_on"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "number",
                                django.db.models.expressions.CombinedExpression(
                                    django.db.models.functions.comparison.Coalesce(
                                        models.F("previous"), 0
                                    ),
                                    "+",
                                    models.Value(1),
                                ),
                            )
                        ),
                        name="link_movement_without_gap",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "balance",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("before"), "+", models.F("amount")
                                ),
                            )
                        ),
                        name="link_movement_adds_up",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("previous__isnull", False), ("before", 0), _connector="OR"
                        ),
                        name="link_begins_with_nothing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("balance__gte", 0)), name="link_movement_leaves_no_debt"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                (
                                    "accrued",
                                    "reversed",
                                    "awarded",
                                    "restored",
                                    "settled",
                                    "link_funded",
                                    "link_ended",
                                ),
                            )
                        ),
                        name="link_movement_kind_known",
                    ),
                ],
            },
        ),
        migrations.RunSQL(CHAIN, UNCHAIN),
        migrations.RunSQL(guards.guard("halls_linkmovement"), guards.unguard("halls_linkmovement")),
    ]

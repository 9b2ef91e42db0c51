"""What a hall decides for itself never changes; authorisations grant more than they did."""

from importlib import import_module

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0005_authorisations_have_an_entry"),
    ]

    operations = [
        migrations.CreateModel(
            name="Policy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("difference_limit", models.PositiveIntegerField()),
                ("blind_count", models.BooleanField()),
                (
                    "four_eyes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=40), size=None
                    ),
                ),
                ("receipts", models.CharField(max_length=10)),
                ("low_stock", models.PositiveIntegerField()),
                ("printers", models.JSONField()),
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
                        related_name="policies",
                        to="halls.hall",
                    ),
                ),
            ],
            options={"verbose_name_plural": "policies"},
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(("difference_limit__lte", 100_000_000)),
                name="policy_difference_within_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "four_eyes__contained_by",
                        [
                            "cash_moved",
                            "shift_closed",
                            "cards_refunded",
                            "game_voided",
                            "cards_written_off",
                            "second_issue_opened",
                            "prize_paid",
                        ],
                    )
                ),
                name="policy_four_eyes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(("receipts__in", ["none", "shown", "printed"])),
                name="policy_receipts_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(("low_stock__lte", 100_000)),
                name="policy_low_stock_within_reason",
            ),
        ),
        migrations.RunSQL(guards.guard("halls_policy"), guards.unguard("halls_policy")),
        migrations.AddField(
            model_name="authorisation",
            name="player_limit",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="authorisation",
            name="several_prices",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="authorisation",
            name="languages",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=5), default=list, size=None
            ),
        ),
        migrations.AddConstraint(
            model_name="authorisation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("player_limit__isnull", True), ("player_limit__gt", 0), _connector="OR"
                ),
                name="authorisation_player_limit_r35",
            ),
        ),
    ]

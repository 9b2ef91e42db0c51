"""Money that nobody fetched is an account of its own: what is owed and what settles it never change."""

from importlib import import_module

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
from django.db import migrations, models

import draws.models.cards

guards = import_module("halls.migrations.0002_append_only")

TABLES = ("draws_unclaimeditem", "draws_unclaimedsettlement")
# A row cannot see another by a constraint: what is paid lies within what is owed, at its price.
WITHIN = """
CREATE FUNCTION require_within_unclaimed_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM draws_unclaimeditem item
        WHERE item.id = NEW.item_id AND item.first <= NEW.first AND NEW.last <= item.last
            AND NEW.amount = item.price * (NEW.last::bigint - NEW.first + 1)
    ) THEN
        RAISE EXCEPTION 'unclaimed_within_its_item' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER within_item BEFORE INSERT ON draws_unclaimedsettlement
    FOR EACH ROW EXECUTE FUNCTION require_within_unclaimed_item();
ALTER TABLE draws_unclaimedsettlement ENABLE ALWAYS TRIGGER within_item;
"""
ANYWHERE = """
DROP TRIGGER within_item ON draws_unclaimedsettlement;
DROP FUNCTION require_within_unclaimed_item();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0016_prize_left_over"),
        ("halls", "0031_unclaimed"),
    ]

    operations = [
        migrations.CreateModel(
            name="UnclaimedItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("owed", models.CharField(max_length=6)),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("price", models.PositiveBigIntegerField()),
                ("reason", models.CharField(max_length=10)),
                ("note", models.CharField(blank=True, max_length=500)),
                ("until", models.DateField(null=True)),
                ("to", models.CharField(blank=True, max_length=10)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="UnclaimedSettlement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("how", models.CharField(max_length=7)),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("amount", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="departure",
            name="departure_known",
        ),
        migrations.AddConstraint(
            model_name="departure",
            constraint=models.CheckConstraint(
                condition=models.Q(("how__in", ["destroyed", "handed_over", "lost"])),
                name="departure_known",
            ),
        ),
        migrations.AddField(
            model_name="unclaimeditem",
            name="entry",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="unclaimed",
                to="halls.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="unclaimeditem",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="unclaimed",
                to="draws.game",
            ),
        ),
        migrations.AddField(
            model_name="unclaimeditem",
            name="issue",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="unclaimed",
                to="draws.issue",
            ),
        ),
        migrations.AddField(
            model_name="unclaimedsettlement",
            name="complaint",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="draws.complaint",
            ),
        ),
        migrations.AddField(
            model_name="unclaimedsettlement",
            name="entry",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="unclaimed_settled",
                to="halls.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="unclaimedsettlement",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="settlements",
                to="draws.unclaimeditem",
            ),
        ),
        migrations.AddField(
            model_name="unclaimedsettlement",
            name="shift",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="unclaimed_paid",
                to="halls.shift",
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimeditem",
            constraint=models.CheckConstraint(
                condition=models.Q(("owed__in", ["prize", "refund"])), name="unclaimed_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimeditem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("last__gte", models.F("first")), ("owed", "refund")),
                    models.Q(("last", models.F("first")), ("owed", "prize")),
                    _connector="OR",
                ),
                name="unclaimed_not_empty",
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimeditem",
            constraint=models.CheckConstraint(
                condition=models.Q(("price__gt", 0)), name="unclaimed_price_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimeditem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("to", ""), ("until__isnull", True)),
                    models.Q(
                        ("to__in", ("jackpot", "treasury", "operator", "charity")),
                        ("until__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="unclaimed_period_with_destination",
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimeditem",
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(
                expressions=[
                    ("game", "="),
                    ("issue", "="),
                    ("owed", "="),
                    (
                        draws.models.cards.CardRange(
                            "first",
                            "last",
                            django.contrib.postgres.fields.ranges.RangeBoundary(
                                inclusive_upper=True
                            ),
                        ),
                        "&&",
                    ),
                ],
                name="card_set_aside_once_r60",
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimedsettlement",
            constraint=models.CheckConstraint(
                condition=models.Q(("last__gte", models.F("first"))),
                name="unclaimed_settlement_not_empty",
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimedsettlement",
            constraint=models.CheckConstraint(
                condition=models.Q(("amount__gt", 0)), name="unclaimed_settlement_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimedsettlement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("how", "paid"), ("shift__isnull", False)),
                    models.Q(
                        ("complaint__isnull", True), ("how", "expired"), ("shift__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="unclaimed_paid_out_of_a_till",
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimedsettlement",
            constraint=models.UniqueConstraint(
                condition=models.Q(("how", "paid")),
                fields=("entry",),
                name="unclaimed_paid_once_an_entry",
            ),
        ),
        migrations.AddConstraint(
            model_name="unclaimedsettlement",
            constraint=django.contrib.postgres.constraints.ExclusionConstraint(
                expressions=[
                    ("item", "="),
                    (
                        draws.models.cards.CardRange(
                            "first",
                            "last",
                            django.contrib.postgres.fields.ranges.RangeBoundary(
                                inclusive_upper=True
                            ),
                        ),
                        "&&",
                    ),
                ],
                name="unclaimed_paid_once_r50",
            ),
        ),
        migrations.RunSQL(WITHIN, ANYWHERE),
        *(migrations.RunSQL(guards.guard(table), guards.unguard(table)) for table in TABLES),
    ]

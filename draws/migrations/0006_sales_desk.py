"""Cards are taken before they are sold, refunded by number, and a game has any number of issues.

What was sold before is written down as taken, with the cards passed over between; refunds keep
their sale's cards. The guards are off while the tables change their shape.
"""

import django.contrib.postgres.constraints
import django.contrib.postgres.fields.ranges
import django.db.models.deletion
import django.db.models.functions.comparison
from django.db import migrations, models
from django.db.models import F, Q

import draws.models.cards

OPEN = """
ALTER TABLE draws_sale DISABLE TRIGGER append_only;
ALTER TABLE draws_refund DISABLE TRIGGER append_only;
"""
CLOSE = """
ALTER TABLE draws_sale ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE draws_refund ENABLE ALWAYS TRIGGER append_only;
"""
TAKEN = """
INSERT INTO draws_taking (issue_id, game_id, first, last, previous, seller_id, passed)
SELECT issue_id, game_id, coalesce(previous, 0) + 1, first - 1, previous, NULL, true
  FROM draws_sale WHERE passed > 0;
INSERT INTO draws_taking (issue_id, game_id, first, last, previous, seller_id, passed)
SELECT issue_id, game_id, first, last, nullif(first - 1, 0), NULL, false FROM draws_sale;
INSERT INTO draws_game_further (game_id, issue_id)
SELECT id, second_issue_id FROM draws_game WHERE second_issue_id IS NOT NULL;
UPDATE draws_game SET gross = cards::bigint * face;
UPDATE draws_refund SET game_id = s.game_id, issue_id = s.issue_id, first = s.first, last = s.last
  FROM draws_sale s WHERE s.id = draws_refund.sale_id;
"""
# A taking follows a taking that exists when the transaction ends; a sale is of what was taken.
CHAINS = """
ALTER TABLE draws_taking ADD CONSTRAINT taking_follows_a_taking_r36
    FOREIGN KEY (issue_id, previous) REFERENCES draws_taking (issue_id, last)
    DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE draws_taking ADD COLUMN sellable boolean NOT NULL
    GENERATED ALWAYS AS (NOT passed AND seller_id IS NULL) STORED;
ALTER TABLE draws_taking ADD CONSTRAINT taking_sellable_once
    UNIQUE (issue_id, first, last, sellable);
ALTER TABLE draws_sale ADD COLUMN sellable boolean NOT NULL GENERATED ALWAYS AS (true) STORED;
ALTER TABLE draws_sale ADD CONSTRAINT sale_of_what_was_taken_r36
    FOREIGN KEY (issue_id, first, last, sellable)
    REFERENCES draws_taking (issue_id, first, last, sellable);
"""
UNCHAIN = """
ALTER TABLE draws_sale DROP CONSTRAINT sale_of_what_was_taken_r36;
ALTER TABLE draws_sale DROP COLUMN sellable;
ALTER TABLE draws_taking DROP CONSTRAINT taking_sellable_once;
ALTER TABLE draws_taking DROP COLUMN sellable;
ALTER TABLE draws_taking DROP CONSTRAINT taking_follows_a_taking_r36;
"""
NUMBER = models.PositiveIntegerField


def overlap(name: str) -> django.contrib.postgres.constraints.ExclusionConstraint:
    """Give the constraint that no card of an issue is in two rows."""
    cards = draws.models.cards.CardRange(
        "first",
        "last",
        django.contrib.postgres.fields.ranges.RangeBoundary(inclusive_upper=True),
    )
    return django.contrib.postgres.constraints.ExclusionConstraint(
        name=name, expressions=[("issue", "="), (cards, "&&")]
    )


class Migration(migrations.Migration):
    dependencies = [("draws", "0005_print_losses"), ("halls", "0006_policy")]
    operations = [
        migrations.CreateModel(
            name="Taking",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first", NUMBER()),
                ("last", NUMBER()),
                ("previous", NUMBER(null=True)),
                ("passed", models.BooleanField(default=False)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="takings",
                        to="draws.game",
                    ),
                ),
                (
                    "issue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="takings",
                        to="draws.issue",
                    ),
                ),
                (
                    "seller",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.person",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            "game", "further", models.ManyToManyField(related_name="+", to="draws.issue")
        ),
        migrations.AddField(
            "game",
            "first_half",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="second_half",
                to="draws.game",
            ),
        ),
        migrations.AddField("game", "gross", models.PositiveBigIntegerField(default=0)),
        migrations.AddField(
            "sale", "player", models.CharField(blank=True, default="", max_length=20)
        ),
        migrations.AlterField("sale", "player", models.CharField(blank=True, max_length=20)),
        migrations.AddField(
            "refund",
            "game",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="refunds",
                to="draws.game",
            ),
        ),
        migrations.AddField(
            "refund",
            "issue",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="draws.issue",
            ),
        ),
        migrations.AddField("refund", "first", NUMBER(null=True)),
        migrations.AddField("refund", "last", NUMBER(null=True)),
        migrations.RunSQL(OPEN, CLOSE),
        migrations.RunSQL(TAKEN, migrations.RunSQL.noop),
        migrations.RunSQL(CLOSE, OPEN),
        # Rows that were just changed are settled before the tables change once more.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
        migrations.AlterField(
            "refund",
            "game",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="refunds",
                to="draws.game",
            ),
        ),
        migrations.AlterField(
            "refund",
            "issue",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="draws.issue",
            ),
        ),
        migrations.AlterField("refund", "first", NUMBER()),
        migrations.AlterField("refund", "last", NUMBER()),
        migrations.RunSQL(
            "ALTER TABLE draws_sale DROP CONSTRAINT sale_follows_a_sale_r36",
            migrations.RunSQL.noop,
        ),
        migrations.RemoveConstraint("sale", "sale_without_gap_r36"),
        migrations.RemoveConstraint("sale", "sale_predecessor_once_r36"),
        migrations.RemoveConstraint("sale", "sale_last_once"),
        migrations.RemoveField("sale", "previous"),
        migrations.RemoveField("sale", "passed"),
        migrations.RemoveField("refund", "sale"),
        migrations.RemoveField("game", "second_issue"),
        migrations.AddConstraint(
            "taking",
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="taking_not_empty"),
        ),
        migrations.AddConstraint(
            "taking",
            models.CheckConstraint(
                condition=Q(
                    first=django.db.models.functions.comparison.Coalesce(F("previous"), 0) + 1
                ),
                name="taking_without_gap_r36",
            ),
        ),
        migrations.AddConstraint(
            "taking",
            models.UniqueConstraint(
                fields=("issue", "previous"),
                nulls_distinct=False,
                name="taking_predecessor_once_r36",
            ),
        ),
        migrations.AddConstraint(
            "taking", models.UniqueConstraint(fields=("issue", "last"), name="taking_last_once")
        ),
        migrations.AddConstraint(
            "taking", models.UniqueConstraint(fields=("issue", "first", "last"), name="taking_once")
        ),
        migrations.AddConstraint(
            "taking",
            models.CheckConstraint(
                condition=Q(passed=False) | Q(seller__isnull=True), name="taking_passed_by_nobody"
            ),
        ),
        migrations.AddConstraint("taking", overlap("card_taken_once_r36")),
        migrations.AddConstraint(
            "refund",
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="refund_not_empty"),
        ),
        migrations.AddConstraint("refund", overlap("card_refunded_once_r57")),
        migrations.RunSQL(CHAINS, UNCHAIN),
    ]

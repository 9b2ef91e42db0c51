"""A hall may want two persons for its jackpots' money; a linked one may be moved, and keeps small change."""

from django.db import migrations, models

FOUR_EYES = [
    "cash_moved", "shift_closed", "cards_refunded", "game_voided", "cards_written_off",
    "second_issue_opened", "prize_paid", "equipment_waived", "complaint_decided",
    "jackpot_funded", "jackpot_moved", "jackpot_ended", "link_funded", "link_moved", "link_ended",
    "retention_set",
]  # fmt: skip
KINDS = (
    "accrued", "reversed", "awarded", "left_over", "restored", "settled", "link_funded",
    "link_ended", "link_moved",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("halls", "0020_retention")]

    operations = [
        migrations.RemoveConstraint("policy", "policy_four_eyes_known"),
        migrations.AddConstraint(
            "policy",
            models.CheckConstraint(
                condition=models.Q(four_eyes__contained_by=FOUR_EYES),
                name="policy_four_eyes_known",
            ),
        ),
        migrations.RemoveConstraint("linkmovement", "link_movement_kind_known"),
        migrations.AddConstraint(
            "linkmovement",
            models.CheckConstraint(
                condition=models.Q(kind__in=KINDS), name="link_movement_kind_known"
            ),
        ),
    ]

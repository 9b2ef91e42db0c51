"""A hall may want two persons where a complaint is decided (R61 j)."""

from django.db import migrations, models

FOUR_EYES = [
    "cash_moved", "shift_closed", "cards_refunded", "game_voided", "cards_written_off",
    "second_issue_opened", "prize_paid", "equipment_waived", "complaint_decided",
]  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("halls", "0018_checkpoint_slips")]

    operations = [
        migrations.RemoveConstraint("policy", "policy_four_eyes_known"),
        migrations.AddConstraint(
            "policy",
            models.CheckConstraint(
                condition=models.Q(four_eyes__contained_by=FOUR_EYES),
                name="policy_four_eyes_known",
            ),
        ),
    ]

"""Passwords that somebody else gave; a hall may ask for two persons to change its staff."""

from django.db import migrations, models

FOUR_EYES = [
    "cash_moved",
    "shift_closed",
    "cards_refunded",
    "game_voided",
    "cards_written_off",
    "second_issue_opened",
    "prize_paid",
    "equipment_waived",
    "complaint_decided",
    "jackpot_funded",
    "jackpot_moved",
    "jackpot_ended",
    "link_funded",
    "link_moved",
    "link_ended",
    "retention_set",
    "staff_changed",
]


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0027_training"),
    ]

    operations = [
        migrations.AddField(
            model_name="person",
            name="password_given",
            field=models.BooleanField(default=False),
        ),
        migrations.RemoveConstraint(model_name="policy", name="policy_four_eyes_known"),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(four_eyes__contained_by=FOUR_EYES),
                name="policy_four_eyes_known",
            ),
        ),
    ]

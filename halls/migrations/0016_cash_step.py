"""A hall says what the smallest coin is that prizes are paid in (R6)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("halls", "0015_checkpoints")]

    operations = [
        migrations.AddField(
            model_name="policy",
            name="cash_step",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(("cash_step__gte", 1), ("cash_step__lte", 1000000)),
                name="policy_cash_step_is_a_coin",
            ),
        ),
    ]

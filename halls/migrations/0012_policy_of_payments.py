"""A hall says above which amount a prize is paid before a second person."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("halls", "0011_distributions")]

    operations = [
        migrations.AddField(
            model_name="policy",
            name="payment_limit",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(("payment_limit__lte", 1000000000)),
                name="policy_payment_within_reason",
            ),
        ),
    ]

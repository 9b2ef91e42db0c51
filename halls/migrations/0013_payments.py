"""A hall says above which amount two persons pay a prize; of each payment one receipt is given."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [("halls", "0012_jackpots")]

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
        migrations.CreateModel(
            name="Slip",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="slip",
                        to="halls.journalentry",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(guards.guard("halls_slip"), guards.unguard("halls_slip")),
    ]

"""What nobody fetched is paid out of a till later; an authorisation names its period (R44)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0030_jackpot_limits"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="cashmovement",
            name="cash_sign_follows_kind",
        ),
        migrations.AddField(
            model_name="authorisation",
            name="unclaimed_terms",
            field=models.JSONField(default=dict),
        ),
        migrations.AlterField(
            model_name="cashmovement",
            name="kind",
            field=models.CharField(
                choices=[
                    ("float", "Float"),
                    ("sale", "Sale"),
                    ("prize", "Prize"),
                    ("refund", "Refund"),
                    ("unclaimed", "Unclaimed"),
                    ("moved", "Moved"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="cashmovement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("amount__gte", 0), ("kind__in", ["float", "sale"])),
                    models.Q(("amount__lte", 0), ("kind__in", ["prize", "refund"])),
                    models.Q(("amount__lt", 0), ("kind", "unclaimed")),
                    ("kind", "moved"),
                    _connector="OR",
                ),
                name="cash_sign_follows_kind",
            ),
        ),
    ]

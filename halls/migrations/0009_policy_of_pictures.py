"""A hall says when a ball is missed before the camera, and how long pictures of balls are kept."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0008_equipment"),
    ]

    operations = [
        migrations.AddField(
            model_name="policy",
            name="patience",
            field=models.PositiveSmallIntegerField(default=20),
        ),
        migrations.AddField(
            model_name="policy",
            name="picture_days",
            field=models.PositiveSmallIntegerField(default=90),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("patience", 0),
                    models.Q(("patience__gte", 5), ("patience__lte", 300)),
                    _connector="OR",
                ),
                name="policy_patience_within_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="policy",
            constraint=models.CheckConstraint(
                condition=models.Q(("picture_days__gte", 8), ("picture_days__lte", 3650)),
                name="policy_picture_days_r52",
            ),
        ),
    ]

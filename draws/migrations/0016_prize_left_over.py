"""What coins leave over of a prize, told apart from its tax."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0015_shown_cards"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="prize",
            name="prize_tax_within",
        ),
        migrations.AddField(
            model_name="prize",
            name="left_over",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddConstraint(
            model_name="prize",
            constraint=models.CheckConstraint(
                condition=models.Q(amount__gte=models.F("tax") + models.F("left_over")),
                name="prize_handed_over_within",
            ),
        ),
    ]

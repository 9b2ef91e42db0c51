"""A game knows the ball set and the extractor that its balls came from."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("draws", "0007_readings"),
        ("halls", "0008_equipment"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="ball_set",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="drawn",
                to="halls.ballset",
            ),
        ),
        migrations.AddField(
            model_name="game",
            name="extractor",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="drawn",
                to="halls.device",
            ),
        ),
    ]

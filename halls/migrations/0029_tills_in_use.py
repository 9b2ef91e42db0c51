"""A till may be out of use."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0028_first_hour"),
    ]

    operations = [
        migrations.AddField(
            model_name="till",
            name="in_use",
            field=models.BooleanField(default=True),
        ),
    ]

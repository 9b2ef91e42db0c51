"""Kinds of game may have a distribution of their own (R67, R73, R84)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("halls", "0010_four_eyes_on_equipment")]

    operations = [
        migrations.AddField("authorisation", "distributions", models.JSONField(default=list)),
    ]

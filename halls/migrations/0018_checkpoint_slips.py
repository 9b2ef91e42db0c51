"""A hall says at which till's printer the checkpoint of each game is printed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("halls", "0017_inspection")]

    operations = [
        migrations.AddField(
            model_name="policy",
            name="checkpoint_till",
            field=models.CharField(blank=True, default="", max_length=50),
        ),
    ]

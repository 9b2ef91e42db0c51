"""Each camera has a salt of its own, with which the digests of its address are made."""

from django.db import migrations, models

import draws.models.cameras

# One for each row, where a default would be the same for all.
SALTED = """
UPDATE draws_camera
   SET salt = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
"""


class Migration(migrations.Migration):
    dependencies = [("draws", "0009_enrolment")]

    operations = [
        migrations.AddField(
            model_name="camera", name="salt", field=models.CharField(default="", max_length=64)
        ),
        migrations.RunSQL(SALTED, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="camera",
            name="salt",
            field=models.CharField(default=draws.models.cameras.new_salt, max_length=64),
        ),
    ]

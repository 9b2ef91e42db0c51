import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# The tables of django-axes, where there are any: names and addresses that nobody needs any more.
GONE = (
    "axes_accessattemptexpiration", "axes_accessattempt", "axes_accesslog", "axes_accessfailurelog",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0004_witnesses"),
    ]

    operations = [
        migrations.CreateModel(
            name="RefusalTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=60)),
                ("minute", models.DateTimeField(db_index=True)),
                ("count", models.PositiveIntegerField(default=0)),
                ("data", models.JSONField()),
                (
                    "hall",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.hall",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "session",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="halls.session",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("hall", "person", "code", "minute"), name="refusals_once_a_minute"
                    )
                ],
            },
        ),
        migrations.RunSQL(
            [
                *(f"DROP TABLE IF EXISTS {table}" for table in GONE),
                "DELETE FROM django_migrations WHERE app = 'axes'",
            ],
            migrations.RunSQL.noop,
        ),
    ]

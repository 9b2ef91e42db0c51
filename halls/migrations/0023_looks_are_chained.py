"""Each look carries the digest of the one before it; those that are there are chained as they stand."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models

from bingo.rules import record

BATCH = 2_000
OPEN = "ALTER TABLE halls_look DISABLE TRIGGER append_only"
CLOSE = "ALTER TABLE halls_look ENABLE ALWAYS TRIGGER append_only"


def chain(apps: Any, schema_editor: Any) -> None:
    looks = apps.get_model("halls", "Look").objects.using(schema_editor.connection.alias)
    heads: dict[int, str] = {}
    batch = []
    for look in looks.order_by("hall", "pk").iterator(chunk_size=BATCH):
        look.before = heads.get(look.hall_id, record.START)
        heads[look.hall_id] = record.look_digest(
            look.before,
            person=look.person_id,
            at=look.at,
            method=look.method,
            route=look.route,
            path=look.path,
            source=look.source,
        )
        batch.append(look)
        if len(batch) == BATCH:
            looks.bulk_update(batch, ["before"])
            batch.clear()
    looks.bulk_update(batch, ["before"])


class Migration(migrations.Migration):
    dependencies = [("halls", "0022_joined_desks")]

    operations = [
        migrations.AddField(
            "look", "before", models.CharField(default="", max_length=64), preserve_default=False
        ),
        migrations.RunSQL(OPEN, CLOSE),
        migrations.RunPython(chain, migrations.RunPython.noop),
        migrations.RunSQL(CLOSE, OPEN),
    ]

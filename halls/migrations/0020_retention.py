"""For how many days things are kept, and what was removed: looks go by a removal and by nothing else."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")

FOUR_EYES = [
    "cash_moved", "shift_closed", "cards_refunded", "game_voided", "cards_written_off",
    "second_issue_opened", "prize_paid", "equipment_waived", "complaint_decided",
    "retention_set",
]  # fmt: skip

# The application may not delete a look; this does it in its place, and no more than an entry tells.
LOOKS = """
CREATE FUNCTION refuse_look_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1 FROM public.halls_removal removal
        JOIN public.halls_journalentry entry ON entry.id = removal.entry_id
        WHERE removal.hall_id = OLD.hall_id AND removal.looks_upto >= OLD.id
          AND removal.finished_at IS NULL
          AND entry.hall_id = OLD.hall_id AND entry.kind = 'retention_applied'
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER append_only ON halls_look;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_look
    FOR EACH ROW EXECUTE FUNCTION refuse_look_change();
ALTER TABLE halls_look ENABLE ALWAYS TRIGGER append_only;
CREATE FUNCTION remove_looks(removal bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM halls_look USING halls_removal
    WHERE halls_removal.id = removal AND halls_removal.finished_at IS NULL
      AND halls_look.hall_id = halls_removal.hall_id
      AND halls_look.id <= halls_removal.looks_upto;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
"""
LOOKS_BACK = """
DROP FUNCTION remove_looks(bigint);
DROP TRIGGER append_only ON halls_look;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_look
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE halls_look ENABLE ALWAYS TRIGGER append_only;
DROP FUNCTION refuse_look_change();
"""

# Of a removal only the end is written later, once.
REMOVAL = """
CREATE FUNCTION refuse_removal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.finished_at IS NULL
       AND (NEW.id, NEW.hall_id, NEW.number, NEW.listed, NEW.looks_upto, NEW.entry_id)
           IS NOT DISTINCT FROM
           (OLD.id, OLD.hall_id, OLD.number, OLD.listed, OLD.looks_upto, OLD.entry_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_removal
    FOR EACH ROW EXECUTE FUNCTION refuse_removal_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON halls_removal
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE halls_removal ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE halls_removal ENABLE ALWAYS TRIGGER append_only_whole;
"""
REMOVAL_BACK = guards.unguard("halls_removal") + "DROP FUNCTION refuse_removal_change();"


def of_hall(name: str) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name=name, to="halls.hall"
    )


def of_entry() -> models.OneToOneField[Any, Any]:
    return models.OneToOneField(
        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.journalentry"
    )


def within(kind: str, least: int) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=models.Q(
            (kind, 0),
            models.Q((f"{kind}__gte", least), (f"{kind}__lte", 3650)),
            _connector="OR",
        ),
        name=f"retention_{kind}_within_bounds",
    )


class Migration(migrations.Migration):
    dependencies = [("halls", "0019_four_eyes_on_complaints")]

    operations = [
        migrations.RemoveConstraint("policy", "policy_four_eyes_known"),
        migrations.AddConstraint(
            "policy",
            models.CheckConstraint(
                condition=models.Q(four_eyes__contained_by=FOUR_EYES),
                name="policy_four_eyes_known",
            ),
        ),
        migrations.CreateModel(
            name="Retention",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("valid_from", models.DateField()),
                ("pictures", models.PositiveSmallIntegerField()),
                ("looks", models.PositiveSmallIntegerField()),
                ("prints", models.PositiveSmallIntegerField()),
                ("stills", models.PositiveSmallIntegerField()),
                ("entry", of_entry()),
                ("hall", of_hall("retentions")),
            ],
            options={
                "constraints": [
                    within("pictures", 8),
                    within("looks", 90),
                    within("prints", 1),
                    within("stills", 1),
                ],
            },
        ),
        migrations.CreateModel(
            name="Removal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("listed", models.TextField()),
                ("looks_upto", models.BigIntegerField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("entry", of_entry()),
                ("hall", of_hall("removals")),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at__isnull", True)),
                        fields=["hall"],
                        name="removal_unfinished",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("hall", "number"), name="removal_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gt", 0)), name="removal_number_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("listed", ""), _negated=True),
                        name="removal_lists_something",
                    ),
                ],
            },
        ),
        migrations.RunSQL(guards.guard("halls_retention"), guards.unguard("halls_retention")),
        migrations.RunSQL(REMOVAL, REMOVAL_BACK),
        migrations.RunSQL(LOOKS, LOOKS_BACK),
    ]

"""The register of admissions and the list of excluded persons, by hashes of documents alone (BOE III)."""

from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")

# The application may not take anything out of the register; this does it in its place: no more than
# an entry tells, and nothing before its time.
VISITS = """
CREATE FUNCTION refuse_visit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT 1 FROM public.halls_removal removal
        JOIN public.halls_journalentry entry ON entry.id = removal.entry_id
        WHERE removal.hall_id = OLD.hall_id AND removal.visits_upto >= OLD.number
          AND removal.finished_at IS NULL
          AND entry.hall_id = OLD.hall_id AND entry.kind = 'retention_applied'
          AND entry.at >= OLD.kept_until
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON halls_visit
    FOR EACH ROW EXECUTE FUNCTION refuse_visit_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON halls_visit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE halls_visit ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE halls_visit ENABLE ALWAYS TRIGGER append_only_whole;
CREATE FUNCTION remove_visits(removal bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM halls_visit USING halls_removal
    WHERE halls_removal.id = removal AND halls_removal.finished_at IS NULL
      AND halls_visit.hall_id = halls_removal.hall_id
      AND halls_visit.number <= halls_removal.visits_upto;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
"""
VISITS_BACK = (
    "DROP FUNCTION remove_visits(bigint);"
    + guards.unguard("halls_visit")
    + "DROP FUNCTION refuse_visit_change();"
)

REMOVAL = """
CREATE OR REPLACE FUNCTION refuse_removal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.finished_at IS NULL
       AND (NEW.id, NEW.hall_id, NEW.number, NEW.listed, NEW.looks_upto, {more}NEW.entry_id)
           IS NOT DISTINCT FROM
           (OLD.id, OLD.hall_id, OLD.number, OLD.listed, OLD.looks_upto, {old}OLD.entry_id)
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0034_duties"),
    ]

    operations = [
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("document", models.CharField(max_length=64)),
                ("key", models.PositiveSmallIntegerField()),
                ("reason", models.CharField(max_length=20)),
                ("begins", models.DateField()),
                ("ends", models.DateField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="LiftedExclusion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
            ],
        ),
        migrations.CreateModel(
            name="Visit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("document", models.CharField(max_length=64)),
                ("key", models.PositiveSmallIntegerField()),
                ("salt", models.CharField(max_length=32)),
                ("at", models.DateTimeField()),
                ("kept_until", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="authorisation",
            name="identity_asked",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="removal",
            name="visits_upto",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="retention",
            name="admissions",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddConstraint(
            model_name="retention",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("admissions", 0),
                    models.Q(("admissions__gte", 1), ("admissions__lte", 3650)),
                    _connector="OR",
                ),
                name="retention_admissions_within_bounds",
            ),
        ),
        migrations.AddField(
            model_name="exclusion",
            name="entry",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="halls.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="exclusion",
            name="hall",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="exclusions",
                to="halls.hall",
            ),
        ),
        migrations.AddField(
            model_name="liftedexclusion",
            name="entry",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="halls.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="liftedexclusion",
            name="exclusion",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="lifted",
                to="halls.exclusion",
            ),
        ),
        migrations.AddField(
            model_name="visit",
            name="admission",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="halls.admission"
            ),
        ),
        migrations.AddField(
            model_name="visit",
            name="hall",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="visits", to="halls.hall"
            ),
        ),
        migrations.AddIndex(
            model_name="exclusion",
            index=models.Index(fields=["hall", "document"], name="exclusion_of_a_document"),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.UniqueConstraint(
                fields=("hall", "number"), name="exclusion_number_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gt", 0)), name="exclusion_number_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(("document__regex", "^[0-9a-f]{64}$")),
                name="exclusion_document_hashed",
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(("key__gt", 0)), name="exclusion_key_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason__in", ("own_request", "authority", "hall"))),
                name="exclusion_for_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends__isnull", True), ("ends__gte", models.F("begins")), _connector="OR"
                ),
                name="exclusion_ends_after_it_begins",
            ),
        ),
        migrations.AddConstraint(
            model_name="liftedexclusion",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True),
                name="exclusion_lifted_for_a_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="visit",
            index=models.Index(fields=["hall", "document"], name="visit_of_a_document"),
        ),
        migrations.AddConstraint(
            model_name="visit",
            constraint=models.UniqueConstraint(fields=("hall", "number"), name="visit_number_once"),
        ),
        migrations.AddConstraint(
            model_name="visit",
            constraint=models.CheckConstraint(
                condition=models.Q(("document__regex", "^[0-9a-f]{64}$")),
                name="visit_document_hashed",
            ),
        ),
        migrations.AddConstraint(
            model_name="visit",
            constraint=models.CheckConstraint(
                condition=models.Q(("salt__regex", "^[0-9a-f]{32}$")), name="visit_salted"
            ),
        ),
        migrations.AddConstraint(
            model_name="visit",
            constraint=models.CheckConstraint(
                condition=models.Q(("key__gt", 0)), name="visit_key_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="visit",
            constraint=models.CheckConstraint(
                condition=models.Q(("kept_until__gt", models.F("at"))), name="visit_kept_a_while"
            ),
        ),
        migrations.RunSQL(
            REMOVAL.format(more="NEW.visits_upto, ", old="OLD.visits_upto, "),
            REMOVAL.format(more="", old=""),
        ),
        migrations.RunSQL(VISITS, VISITS_BACK),
        *(
            migrations.RunSQL(guards.guard(table), guards.unguard(table))
            for table in ("halls_exclusion", "halls_liftedexclusion")
        ),
    ]

"""Training halls: what trains which, and whose account there is whose, hold for good."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

# A training hall is never trained itself, never becomes a real one, and is left once.
HALL = """
CREATE FUNCTION refuse_training_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF NEW.trains_id IS DISTINCT FROM OLD.trains_id THEN
            RAISE EXCEPTION 'what a hall trains never changes'
                USING ERRCODE = 'restrict_violation';
        ELSIF OLD.trained_until IS NOT NULL
              AND NEW.trained_until IS DISTINCT FROM OLD.trained_until THEN
            RAISE EXCEPTION 'a training hall is left once' USING ERRCODE = 'restrict_violation';
        END IF;
    ELSIF EXISTS (
        SELECT 1 FROM halls_hall WHERE id = NEW.trains_id AND trains_id IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'a training hall is not trained' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER training_for_good BEFORE INSERT OR UPDATE OF trains_id, trained_until ON halls_hall
    FOR EACH ROW EXECUTE FUNCTION refuse_training_change();
ALTER TABLE halls_hall ENABLE ALWAYS TRIGGER training_for_good;
"""
HALL_BACK = """
DROP TRIGGER training_for_good ON halls_hall;
DROP FUNCTION refuse_training_change();
"""

# Somebody practises in the hall that trains their own, and an account changes neither.
PERSON = """
CREATE FUNCTION refuse_foreign_practice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.practises_id IS DISTINCT FROM OLD.practises_id THEN
        RAISE EXCEPTION 'who practises as an account never changes'
            USING ERRCODE = 'restrict_violation';
    ELSIF NEW.practises_id IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.hall_id <> OLD.hall_id)
          AND NOT EXISTS (
        SELECT 1 FROM halls_person own JOIN halls_hall hall ON hall.id = NEW.hall_id
        WHERE own.id = NEW.practises_id AND hall.trains_id = own.hall_id
    ) THEN
        RAISE EXCEPTION 'people practise in the hall that trains theirs'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER practice_of_own_hall BEFORE INSERT OR UPDATE OF practises_id, hall_id ON halls_person
    FOR EACH ROW EXECUTE FUNCTION refuse_foreign_practice();
ALTER TABLE halls_person ENABLE ALWAYS TRIGGER practice_of_own_hall;
"""
PERSON_BACK = """
DROP TRIGGER practice_of_own_hall ON halls_person;
DROP FUNCTION refuse_foreign_practice();
"""

# Play money is never in the jackpot of several halls.
LINK = """
CREATE FUNCTION refuse_training_in_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM halls_hall WHERE id = NEW.hall_id AND trains_id IS NOT NULL) THEN
        RAISE EXCEPTION 'a training hall takes part in no linked jackpot'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER no_training_in_link BEFORE INSERT ON halls_linkmember
    FOR EACH ROW EXECUTE FUNCTION refuse_training_in_link();
ALTER TABLE halls_linkmember ENABLE ALWAYS TRIGGER no_training_in_link;
"""
LINK_BACK = """
DROP TRIGGER no_training_in_link ON halls_linkmember;
DROP FUNCTION refuse_training_in_link();
"""


class Migration(migrations.Migration):
    dependencies = [("halls", "0026_wall_pictures")]

    operations = [
        migrations.AddField(
            "hall",
            "trains",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="halls.hall",
            ),
        ),
        migrations.AddField("hall", "trained_until", models.DateTimeField(null=True)),
        migrations.AddField(
            "person",
            "practises",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="trainees",
                to="halls.person",
            ),
        ),
        migrations.AddConstraint(
            "hall",
            models.CheckConstraint(
                condition=models.Q(trains__isnull=True) | ~models.Q(trains=models.F("pk")),
                name="hall_trains_another",
            ),
        ),
        migrations.AddConstraint(
            "hall",
            models.CheckConstraint(
                condition=models.Q(trained_until__isnull=True) | models.Q(trains__isnull=False),
                name="hall_only_training_is_left",
            ),
        ),
        migrations.AddConstraint(
            "hall",
            models.UniqueConstraint(
                condition=models.Q(trained_until__isnull=True),
                fields=["trains"],
                name="hall_has_one_training_hall",
            ),
        ),
        migrations.AddConstraint(
            "person",
            models.UniqueConstraint(
                fields=["hall", "practises"], name="person_practises_once_in_a_hall"
            ),
        ),
        migrations.RunSQL(HALL, HALL_BACK),
        migrations.RunSQL(PERSON, PERSON_BACK),
        migrations.RunSQL(LINK, LINK_BACK),
    ]

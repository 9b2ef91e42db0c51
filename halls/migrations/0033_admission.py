"""The door has a role, an authorisation may say how many may be inside, and the door counts them."""

from importlib import import_module

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

guards = import_module("halls.migrations.0002_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("halls", "0032_floor_assistants"),
    ]

    operations = [
        migrations.CreateModel(
            name="Admission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=20)),
                ("inside", models.PositiveIntegerField()),
                ("capacity", models.PositiveIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="person",
            name="person_roles_known",
        ),
        migrations.AddField(
            model_name="authorisation",
            name="capacity",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="person",
            name="roles",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(
                    choices=[
                        ("cashier", "cashier"),
                        ("seller", "floor seller"),
                        ("floor_assistant", "floor assistant"),
                        ("door", "door"),
                        ("caller", "caller"),
                        ("table_chief", "table chief"),
                        ("hall_manager", "hall manager"),
                        ("inspector", "inspector"),
                    ],
                    max_length=20,
                ),
                size=None,
            ),
        ),
        migrations.AddConstraint(
            model_name="authorisation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("capacity__isnull", True), ("capacity__gt", 0), _connector="OR"
                ),
                name="authorisation_capacity_positive",
            ),
        ),
        migrations.AddConstraint(
            model_name="person",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "roles__contained_by",
                        [
                            "cashier",
                            "seller",
                            "floor_assistant",
                            "door",
                            "caller",
                            "table_chief",
                            "hall_manager",
                            "inspector",
                        ],
                    )
                ),
                name="person_roles_known",
            ),
        ),
        migrations.AddField(
            model_name="admission",
            name="entry",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="halls.journalentry",
            ),
        ),
        migrations.AddField(
            model_name="admission",
            name="hall",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="admissions",
                to="halls.hall",
            ),
        ),
        migrations.AddConstraint(
            model_name="admission",
            constraint=models.UniqueConstraint(
                fields=("hall", "number"), name="admission_number_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="admission",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gt", 0)), name="admission_number_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="admission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        ("person_admitted", "person_left", "admission_refused", "inside_counted"),
                    )
                ),
                name="admission_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="admission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("capacity__isnull", True),
                    ("inside__lte", models.F("capacity")),
                    _connector="OR",
                ),
                name="admission_within_capacity",
            ),
        ),
        migrations.AddConstraint(
            model_name="admission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("capacity__isnull", True), ("kind", "person_admitted"), _connector="OR"
                ),
                name="admission_capacity_of_who_came_in",
            ),
        ),
        migrations.AddConstraint(
            model_name="admission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "admission_refused"), _negated=True),
                    (
                        "reason__in",
                        ("full", "minor", "excluded", "no_document", "conduct", "other"),
                    ),
                    _connector="OR",
                ),
                name="admission_refused_for_a_reason",
            ),
        ),
        migrations.RunSQL(guards.guard("halls_admission"), guards.unguard("halls_admission")),
    ]

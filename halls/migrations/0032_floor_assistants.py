"""Floor assistants have a role of their own (BOE III)."""

import django.contrib.postgres.fields
from django.db import migrations, models

ROLES = [
    ("cashier", "cashier"),
    ("seller", "floor seller"),
    ("floor_assistant", "floor assistant"),
    ("caller", "caller"),
    ("table_chief", "table chief"),
    ("hall_manager", "hall manager"),
    ("inspector", "inspector"),
]
NAME = "person_roles_known"


class Migration(migrations.Migration):
    dependencies = [("halls", "0031_unclaimed")]

    operations = [
        migrations.AlterField(
            "person",
            "roles",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(choices=ROLES, max_length=20), size=None
            ),
        ),
        migrations.RemoveConstraint("person", NAME),
        migrations.AddConstraint(
            "person",
            models.CheckConstraint(
                condition=models.Q(("roles__contained_by", [role for role, _name in ROLES])),
                name=NAME,
            ),
        ),
    ]

"""Patterns, retirements and recounts never change."""

from importlib import import_module

from django.db import migrations

guards = import_module("halls.migrations.0002_append_only")

TABLES = ("draws_pattern", "draws_retirement", "draws_recount")


class Migration(migrations.Migration):
    dependencies = [("draws", "0003_cards"), ("halls", "0002_append_only")]
    operations = [migrations.RunSQL(guards.guard(table), guards.unguard(table)) for table in TABLES]

"""From now on every authorisation has its entry in the journal: a forged one is refused."""

from django.db import migrations

# NOT VALID lets the authorisations be that were recorded before the journal knew of them.
ADD = """
ALTER TABLE halls_authorisation ADD CONSTRAINT authorisation_has_an_entry
    CHECK (entry_id IS NOT NULL) NOT VALID;
"""
DROP = "ALTER TABLE halls_authorisation DROP CONSTRAINT authorisation_has_an_entry;"


class Migration(migrations.Migration):
    dependencies = [("halls", "0004_journal_of_a_kind")]
    operations = [migrations.RunSQL(ADD, DROP)]

"""The form of the acta, by version and day, as the regulator approves it (R59)."""

from __future__ import annotations

from datetime import date

from draws.documents.acta_session_values import TemplateValues

# Whoever changes what the page looks like or says adds a line here; docs/acta.md tells what changed.
VERSIONS = (
    TemplateValues(1, date(2026, 11, 21)),
    TemplateValues(2, date(2026, 11, 22)),
    TemplateValues(3, date(2026, 11, 23)),
    TemplateValues(4, date(2026, 11, 26)),
)
CURRENT = VERSIONS[-1]

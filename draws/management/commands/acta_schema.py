"""Print the JSON Schema of the data that every acta carries, which is docs/acta.schema.json."""

from __future__ import annotations

import json as json_format
from typing import Any

from draws.record.acta.values import data_schema
from halls.management.reporting import Report


class Command(Report):
    """Exit code 0."""

    help = "Print the JSON Schema of an acta's data, made from the values that state its fields."

    def handle(self, *, json: bool, **_options: Any) -> None:
        """Print it as it is published; it is one JSON value in any case."""
        text = data_schema().decode()
        self.report(json_format.loads(text), text.splitlines(), as_json=json)

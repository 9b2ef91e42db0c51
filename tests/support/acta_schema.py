"""The schema of acta.json, and what it finds wrong with the data of an acta."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema

FILE = Path(__file__).parents[2] / "docs" / "acta.schema.json"
SCHEMA: Mapping[str, Any] = json.loads(FILE.read_text())


def faults(data: Any) -> list[str]:
    """Return where and how data differ from the schema; nothing of valid data."""
    checker = jsonschema.Draft202012Validator(SCHEMA)
    return [f"{fault.json_path}: {fault.message}" for fault in checker.iter_errors(data)]

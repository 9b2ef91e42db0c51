"""Read the words of a module from the file of tables beside it, `messages.toml`.

`bingo/catalogues.py` finds there what the languages translate.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy


def words(module: str) -> Mapping[str, Any]:
    """Return the tables beside a module, by its `__file__`: each word in the reader's language."""
    text = Path(module).with_name("messages.toml").read_text(encoding="utf-8")
    tables: Mapping[str, Any] = _said(tomllib.loads(text))
    return tables


def _said(value: Any) -> Any:
    if isinstance(value, str):
        return gettext_lazy(value)
    return {code: _said(one) for code, one in value.items()}

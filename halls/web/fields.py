"""The kinds of form fields and their limits, for the page and for reading what it sends.

`{% field %}` (`halls/templatetags/forms.py`) tells the browser what `draws/web/forms.py` holds to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

LONGEST = 500  # of a text whose field names no other length
LONGEST_USERNAME = 150  # as Person.username; the log of attempts could not hold much more
LONGEST_SEARCH = 100


@dataclass(frozen=True, slots=True)
class FieldKind:
    """The attributes of a field's input, and the looks of its box, as components.css has them."""

    attributes: Mapping[str, Any] = field(default_factory=dict)
    looks: str = ""
    secret: bool = False  # what was typed is never put back


KINDS: Mapping[str, FieldKind] = MappingProxyType(
    {
        "text": FieldKind({"maxlength": LONGEST}),
        "whole": FieldKind({"inputmode": "numeric"}, "number"),
        "decimal": FieldKind({"inputmode": "decimal"}, "number"),
        "amount": FieldKind({"inputmode": "decimal"}, "number amount"),
        "percent": FieldKind({"inputmode": "decimal"}, "number short"),
        # A card is typed by its number or read by a scanner from its code.
        "card": FieldKind({"inputmode": "numeric", "maxlength": 24}, "number card"),
        "day": FieldKind({"type": "date"}),
        "hour": FieldKind({"type": "time"}, "number"),
        "search": FieldKind({"type": "search", "maxlength": LONGEST_SEARCH}, "search"),
        "login": FieldKind(
            {"maxlength": LONGEST_USERNAME, "autocapitalize": "none", "spellcheck": "false"}
        ),
        "password": FieldKind({"type": "password"}, secret=True),
        "file": FieldKind({"type": "file"}, secret=True),
    }
)

"""A new hall as it is opened, and its first manager."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from halls import setup
from halls.models import Hall

PASSWORD = "sete-bolas-42"
MANAGER = "maria.lima"
ASKED: dict[str, Any] = {
    "code": "sala-mindelo",
    "name": "Sala Mindelo",
    "licence": "12/2026",
    "language": "pt",
    "currency": "CVE",
    "time_zone": "Atlantic/Cape_Verde",
    "rulebook": "cape-verde-2017",
    "tills": ("Caixa 1", "Caixa 2"),
    "manager": MANAGER,
    "manager_name": "Maria Lima",
    "password": PASSWORD,
}


def open_one(**changed: Any) -> Hall:
    """Open a hall."""
    return setup.open_hall(**{**ASKED, "at": timezone.now(), **changed})

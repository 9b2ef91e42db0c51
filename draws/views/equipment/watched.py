"""The check of the equipment as players may watch it, open to all (R32)."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from draws.views.equipment import check, check_rows
from halls.models import Hall
from halls.queries import checks


@require_GET
@never_cache
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the list as it is being ticked, in the hall's language, without anybody's name."""
    hall = get_object_or_404(Hall, code=code)
    now = timezone.now()
    with translation.override(hall.language), timezone.override(ZoneInfo(hall.time_zone)):
        found = checks.checked(hall, at=now)
        rows = check_rows.rows(hall, found, at=now)
        shown = {"hall": hall, "rows": rows, **check.outcome(found)}
        shown["begun"] = any(row.tick for row in rows)
        return render(request, "equipment/watched.html", shown)

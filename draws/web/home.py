"""The first page after login."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from halls.models import Hall, Person
from halls.web.frame import pages_of


def home(request: HttpRequest) -> HttpResponse:
    """Send a person to their own page; where there is no hall yet, everybody to where it is opened."""
    if not request.user.is_authenticated and not Hall.objects.exists():
        return redirect("first")
    return _own(request)


@login_required
def _own(request: HttpRequest) -> HttpResponse:
    """Send a person to their own page; somebody with none sees the board."""
    person = request.user
    if not isinstance(person, Person):
        return render(request, "web/refusal.html", status=403)
    pages = pages_of(person)
    return redirect(pages[0]) if pages else redirect("board", code=person.hall.code)

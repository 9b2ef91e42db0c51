"""The first page of whoever logs in."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from halls.models import Person
from halls.views.console import pages_of


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Send a person to their own page; somebody with none sees the board."""
    person = request.user
    if not isinstance(person, Person):
        return render(request, "refusal.html", status=403)
    pages = pages_of(person)
    return redirect(pages[0]) if pages else redirect("board", code=person.hall.code)

"""The page on which a person chooses a password of their own.

A password that was given is replaced by one that nobody else knows.
"""

from __future__ import annotations

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from bingo.rules.refusal import Refusal
from draws.refusals import text
from halls import second_person, staff
from halls.attempts import Question
from halls.models import Person


@sensitive_post_parameters()
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def own_password_page(request: HttpRequest) -> HttpResponse:
    """Show the form, or set the password and go on to the person's page; 409 where refused."""
    person = request.user
    if not isinstance(person, Person):
        return render(request, "web/refusal.html", status=403)
    if request.method == "GET":
        return render(request, "web/own_password.html", {"given": person.password_given})
    try:
        _change(request, person)
    except Refusal as refusal:
        notice = text.notice(refusal)
        shown = {"given": person.password_given, "notice": notice}
        return render(request, "web/own_password.html", shown, status=409)
    return redirect("home")


def _change(request: HttpRequest, person: Person) -> None:
    """Set it. Raises Refusal: own_password_wrong, account_locked, passwords_differ, those of the service.

    Who was just given a password has typed it to come here; anybody else shows that it is them, so
    that a page left open is no way to take an account.
    """
    typed = request.POST
    if not person.password_given and not _is_theirs(request, person):
        raise Refusal("own_password_wrong")
    password = typed.get("password", "")
    if password != typed.get("password_again", ""):
        raise Refusal("passwords_differ")
    changed = staff.change_password(person=person, password=password, at=timezone.now())
    update_session_auth_hash(request, changed)


def _is_theirs(request: HttpRequest, person: Person) -> bool:
    before = request.POST.get("before", "")
    if len(before) > second_person.LONGEST:
        return False
    try:
        found = second_person.proven(
            request, Question.OWN, username=person.username, password=before, asker=person,
            at=timezone.now(),
        )  # fmt: skip
    except second_person.LockedOut as locked:
        raise Refusal("account_locked", seconds=locked.seconds) from None
    return found is not None and found.pk == person.pk

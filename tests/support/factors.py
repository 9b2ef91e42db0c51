"""Second factors of people in tests: an authenticator app that a test reads."""

from __future__ import annotations

import re
import time
from datetime import timedelta

import pyotp
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from halls.models import Hall, Person
from halls.sign_in import factors


def asking(hall: Hall) -> Hall:
    """Let a hall of tests ask for second factors, as a hall that is opened does."""
    Hall.objects.filter(pk=hall.pk).update(second_factor=True)
    hall.second_factor = True
    return hall


def code_of(secret: str, *, steps: int = 0) -> str:
    """The code that the app shows now, or so many steps from now."""
    return pyotp.TOTP(secret).at(int(time.time()) + 30 * steps)


def add_app(person: Person, *, name: str = "Telefone") -> str:
    """Let somebody have an app, added a minute ago; return its secret."""
    secret, before = factors.new_secret(), timezone.now() - timedelta(seconds=90)
    code = pyotp.TOTP(secret).at(before)
    factors.add_app(person=person, name=name, secret=secret, code=code, at=before)
    return secret


def secret_on(page: str) -> str:
    """The secret that a page shows for an app."""
    found = re.search(r'class="secret">([A-Z2-7 ]+)<', page)
    assert found
    return found[1].replace(" ", "")


def add_by_page(client: Client) -> HttpResponse:
    """Add an app by the page that everybody comes to who needs one; recovery codes are answered."""
    page = client.get("/second-factor/").content.decode()
    sent = {"name": "Telefone", "code": code_of(secret_on(page))}
    answer: HttpResponse = client.post("/second-factor/", sent)  # type: ignore[assignment]
    assert answer.status_code == 200, answer.content
    return answer


def show(client: Client, secret: str) -> None:
    """Show an app after the password."""
    answer = client.post("/sign-in/prove/", {"code": code_of(secret)})
    assert answer.status_code == 302, answer.content

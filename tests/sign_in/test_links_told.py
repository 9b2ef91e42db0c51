"""A link to the provider that the owner of the database brings back is named by the audit."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from django.utils import timezone

from draws.record.audit import audit
from halls.models import Hall, Person
from halls.sign_in import links
from tests.support.opening_halls import MANAGER, open_one


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_database")
def test_a_link_brought_back_with_triggers_off_is_named(
    owner_connection: psycopg.Connection[Any],
) -> None:
    open_one()
    manager, at = Person.objects.get(), timezone.now()
    links.link(person=manager, issuer="https://chain.example", subject="maria", at=at)
    links.unlink(person=manager, at=at)
    assert audit(Hall.objects.get()) == []
    back = "UPDATE halls_providerlink SET ended_at = NULL"
    with pytest.raises(psycopg.errors.RestrictViolation, match="does not come back"):
        owner_connection.execute(back)
    owner_connection.execute("ALTER TABLE halls_providerlink DISABLE TRIGGER USER")
    owner_connection.execute(back)
    [found] = audit(Hall.objects.get())
    assert (found.code, found.detail) == ("sign_in_differs", f"'{MANAGER}': link to the provider")

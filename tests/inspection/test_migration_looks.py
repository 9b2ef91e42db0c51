"""Looks of before they were chained, brought up to date."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from draws.record.audit import audit
from halls.inspection import look_digest
from halls.management.commands.prepare_database import owner_alias
from halls.models import Hall, Look
from tests.support.database import FreshDatabase
from tests.support.evening import Evening


@pytest.mark.slow
def test_looks_that_are_there_are_chained_as_they_stand(fresh_database: FreshDatabase) -> None:
    evening, other = Evening(), Evening("outra")
    for path in ("/inspector/", "/inspector/search/"):
        evening.at("inspector").get(path)
        other.at("inspector").get(path)
    kept = list(Look.objects.order_by("pk").values_list("pk", "before"))
    with owner_alias() as owner:
        back = {"database": owner, "interactive": False, "verbosity": 0}
        call_command("migrate", "halls", "0021", **back)
    call_command("prepare_database", verbosity=0)
    assert list(Look.objects.order_by("pk").values_list("pk", "before")) == kept
    evening.at("inspector").get("/policy/")
    first, second, third = Look.objects.filter(hall=evening.hall).order_by("pk")
    assert (second.before, third.before) == (look_digest(first), look_digest(second))
    assert [audit(hall) for hall in Hall.objects.all()] == [[], []]

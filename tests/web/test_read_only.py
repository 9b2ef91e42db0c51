"""An inspector changes nothing but what is said of an acta: every address is tried with every verb."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import getclosurevars, unwrap
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.urls import URLPattern, URLResolver, get_resolver

from draws.web.page import Desk, Page
from halls.models import JournalEntry, Role
from tests.support.evening import Evening, browser_of
from tests.support.planting_rows import plant
from tests.support.remarks import seal

pytestmark = pytest.mark.django_db

# What the looks and the refusals themselves write, and the browser's own session.
OWN = {"halls_look", "halls_journalentry", "halls_hall"}
# What tells whoever asks how a board is to look, and writes nothing for one who is logged in.
ANSWERED = {"/board/sala/screen.json"}
FIELDS = {
    "quantity": "1", "issue": "1", "card": "1", "text": "x", "reason": "x", "number": "1",
    "amount": "1", "till": "1", "session": "1", "game": "1", "name": "x", "checked": "on",
    "category": "other", "decision": "x", "language": "pt", "combination": "line", "sound": "on",
}  # fmt: skip


def addresses(found: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Return an address for every pattern and verb that takes more than a look."""
    for one in found:
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, before + str(one.pattern))
            continue
        route = before + str(one.pattern)
        for verb in verbs(one):
            yield "/" + (
                re.sub(r"<int:\w+>", "1", route)
                .replace("<slug:verb>", verb)
                .replace("<slug:code>", "sala")
                .replace(r"^pictures/(?P<digest>[0-9a-f]{64})\.jpg$", f"pictures/{'0' * 64}.jpg")
            )


def verbs(pattern: URLPattern) -> list[str]:
    """Return the verbs of a pattern's desk or page; one where it has none."""
    if "<slug:verb>" not in str(pattern.pattern):
        return [""]
    held = getclosurevars(unwrap(pattern.callback)).nonlocals.values()
    [page] = [one for one in held if isinstance(one, Desk | Page)]
    return [*page.verbs, "nothing"]


def fingerprints() -> dict[str, str]:
    """Return a digest of every table's rows, but for when somebody last logged in."""
    found = {}
    tables = [
        model._meta.db_table
        for name in ("halls", "draws")
        for model in apps.get_app_config(name).get_models(include_auto_created=True)
    ]
    with connection.cursor() as cursor:
        for table in set(tables) - OWN:
            cursor.execute(
                "SELECT md5(coalesce(string_agg(told, '|' ORDER BY told), '')) FROM"
                f" (SELECT (to_jsonb(t) - 'last_login')::text AS told FROM {table} t) rows"
            )
            found[table] = cursor.fetchone()[0]
    return found


def facts() -> list[tuple[int, str]]:
    """Return the journal without the refusals."""
    kept = JournalEntry.objects.exclude(kind="command_refused").order_by("number")
    return list(kept.values_list("pk", "kind"))


@pytest.mark.slow
@pytest.mark.rule("BOE III")
@pytest.mark.parametrize("stage", ["sold", "stopped"])
def test_no_order_of_an_inspector_changes_anything(stage: str) -> None:
    evening = Evening().reach(stage)
    rows, journal = fingerprints(), facts()
    evening.hall.refresh_from_db()
    jackpot = evening.hall.jackpot_balance
    tried = 0
    person = evening.person(Role.INSPECTOR)
    for address in addresses(get_resolver().url_patterns):
        if "logout" in address or "login" in address:
            continue
        client = browser_of(person)
        answer = client.post(address, {"key": str(uuid4()), **FIELDS})
        allowed = {302, 400, 403, 404, 405, 409} | ({200} if address in ANSWERED else set())
        assert answer.status_code in allowed, (address, answer.status_code)
        tried += 1
    assert tried > 150
    assert fingerprints() == rows
    assert facts() == journal
    evening.hall.refresh_from_db()
    assert evening.hall.jackpot_balance == jackpot


def test_fingerprints_tell_a_changed_row() -> None:
    evening = Evening().reach("shift")
    before = fingerprints()
    plant(evening.hall.people.filter(roles__contains=[Role.SELLER]), name="Outro")
    changed = {name for name, told in fingerprints().items() if before[name] != told}
    assert changed == {"halls_person"}


@pytest.mark.slow
def test_what_is_said_of_an_acta_is_all_that_an_inspector_writes() -> None:
    evening = Evening().reach("shift")
    acta = seal(evening)
    rows, journal = fingerprints(), len(facts())
    client = evening.at("inspector")
    said = {"acknowledge": {"acta": acta.digest}, "remark": {"text": "x", "acta": acta.digest}}
    for verb, fields in said.items():
        client.post(f"/inspector/1/acta/do/{verb}/", {"key": str(uuid4()), **fields})
    assert fingerprints() == rows
    assert [kind for _pk, kind in facts()[journal:]] == ["acta_acknowledged", "acta_remarked"]

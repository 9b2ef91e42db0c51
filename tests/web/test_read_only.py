"""An inspector changes nothing but what is said of an acta: every address is tried with every verb."""

from __future__ import annotations

from uuid import uuid4

import pytest

from halls.models import Role
from tests.support.addresses import addresses
from tests.support.evening import Evening, browser_of
from tests.support.fingerprints import facts, fingerprints
from tests.support.planting_rows import plant
from tests.support.remarks import seal

pytestmark = pytest.mark.django_db

# What tells whoever asks how a board is to look, and writes nothing for one who is logged in.
ANSWERED = {"/board/sala/screen.json", "/sign-in/awake/"}
FIELDS = {
    "quantity": "1", "issue": "1", "card": "1", "text": "x", "reason": "x", "number": "1",
    "amount": "1", "till": "1", "session": "1", "game": "1", "name": "x", "checked": "on",
    "category": "other", "decision": "x", "language": "pt", "combination": "line", "sound": "on",
}  # fmt: skip


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
    for address in (one.path for one in addresses()):
        if "logout" in address or "login" in address:
            continue
        client = browser_of(person)
        answer = client.post(address, {"key": str(uuid4()), **FIELDS})
        allowed = {302, 400, 403, 404, 405, 409} | ({200, 204} if address in ANSWERED else set())
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

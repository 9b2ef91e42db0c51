"""Who is on the staff: nobody gives themself rights, and somebody can always manage the hall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import staff
from bingo.rules.refusal import Refusal
from bingo.rules.staff import Member
from halls.permissions import Role

ANA = Member("ana", "Ana", ("hall_manager",))
EVA = Member("eva", "Eva", ("hall_manager",))
RUI = Member("rui", "Rui", ("cashier",))
NEW: dict[str, Any] = {"name": "Maria Lima", "roles": ["caller"], "language": "pt"}


def refused(people: list[Member], change: str, *, of: str, by: str = "ana", **told: Any) -> str:
    with pytest.raises(Refusal) as found:
        staff.change(people, change, of=of, by=by, **told)
    return found.value.code


@pytest.mark.rule("BOE III")
def test_roles_are_those_that_the_hall_knows() -> None:
    assert set(staff.ROLES) == set(Role.values)
    assert set(staff.NEEDED) < set(staff.ROLES)


def test_person_is_taken_on_under_a_name_of_their_own() -> None:
    told = staff.change([ANA], staff.ENROLLED, of="maria", by="ana", **NEW)
    assert told == {"change": "enrolled", "username": "maria", **NEW}
    assert refused([ANA, RUI], staff.ENROLLED, of="rui", **NEW) == "username_taken"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"name": ""}, "bad_person_name"),
        ({"name": "a" * 201}, "bad_person_name"),
        ({"name": " Maria"}, "bad_person_name"),
        ({"name": "Maria\u202e"}, "bad_person_name"),
        ({"roles": []}, "role_missing"),
        ({"roles": ["owner"]}, "unknown_role"),
        ({"roles": ["inspector", "cashier"]}, "inspector_apart"),
        ({"roles": ["inspector", "hall_manager"]}, "inspector_apart"),
    ],
)
def test_person_that_cannot_be_is_refused(changed: dict[str, Any], code: str) -> None:
    assert refused([ANA], staff.ENROLLED, of="maria", **{**NEW, **changed}) == code


def test_language_that_no_page_is_written_in_is_refused() -> None:
    staff.require_language("pt", known=("pt", "es"))
    with pytest.raises(Refusal) as found:
        staff.require_language("xx", known=("pt", "es"))
    assert found.value == Refusal("unknown_language", known="pt, es")


@pytest.mark.parametrize("username", ["", "m", "Maria", "ma ria", "-maria", "maria\n", "márcia"])
def test_username_that_others_would_misread_is_refused(username: str) -> None:
    assert refused([ANA], staff.ENROLLED, of=username, **NEW) == "bad_username"


@pytest.mark.parametrize("change", [staff.SET, staff.DISABLED, staff.PASSWORD])
def test_nobody_changes_their_own_account(change: str) -> None:
    told: dict[str, Any] = {"name": "Ana", "roles": ["hall_manager", "cashier"]}
    more = told if change == staff.SET else {}
    assert refused([ANA, EVA], change, of="ana", **more) == "own_account"


def test_last_manager_stays() -> None:
    # Eva has just been disabled, and her order was on its way.
    people = [ANA, replace(EVA, active=False)]
    assert refused(people, staff.DISABLED, of="ana", by="eva") == "last_manager"
    less: dict[str, Any] = {"name": "Ana", "roles": ["cashier"]}
    assert refused(people, staff.SET, of="ana", by="eva", **less) == "last_manager"
    assert staff.change([ANA, EVA], staff.DISABLED, of="ana", by="eva")


def test_what_is_so_already_is_no_entry() -> None:
    same: dict[str, Any] = {"name": "Rui", "roles": ["cashier"]}
    assert refused([ANA, RUI], staff.SET, of="rui", **same) == "nothing_changed"
    assert refused([ANA, RUI], staff.ENABLED, of="rui") == "nothing_changed"
    assert refused([ANA], staff.DISABLED, of="rui") == "person_unknown"
    assert refused([ANA, RUI], "deleted", of="rui") == "bad_input"


def test_cashier_with_a_drawer_counts_it_first() -> None:
    people = [ANA, replace(RUI, open_shift="Caixa 1")]
    assert refused(people, staff.DISABLED, of="rui") == "shift_still_open"
    other: dict[str, Any] = {"name": "Rui", "roles": ["caller"]}
    assert refused(people, staff.SET, of="rui", **other) == "shift_still_open"
    both: dict[str, Any] = {"name": "Rui", "roles": ["caller", "cashier"]}
    assert staff.change(people, staff.SET, of="rui", by="ana", **both)["roles"] == [
        "cashier",
        "caller",
    ]


def test_missing_roles_are_those_of_nobody_who_can_log_in() -> None:
    assert staff.missing([ANA, replace(RUI, active=False)]) == (
        "table_chief",
        "caller",
        "cashier",
        "inspector",
    )
    everybody = [Member(role, role, (role,)) for role in staff.ROLES]
    assert staff.missing(everybody) == ()


def after(people: list[Member], told: dict[str, Any]) -> list[Member]:
    """Carry a change out."""
    if told["change"] == staff.ENROLLED:
        return [*people, Member(told["username"], told["name"], tuple(told["roles"]))]
    return [_after(one, told) if one.username == told["username"] else one for one in people]


def _after(one: Member, told: dict[str, Any]) -> Member:
    match told["change"]:
        case "set":
            return replace(one, name=told["name"], roles=tuple(told["roles"]))
        case "disabled" | "enabled":
            return replace(one, active=told["change"] == "enabled")
    return one


ROLES = [(), ("cashier",), ("hall_manager",), ("caller", "hall_manager"), ("inspector",)]
WHO = st.sampled_from(["ana", "eva", "rui"])
DOING = st.tuples(st.sampled_from(staff.CHANGES), WHO, WHO, st.sampled_from(ROLES))


@given(st.lists(DOING, max_size=12))
def test_somebody_manages_the_hall_whatever_is_ordered(doings: list[Any]) -> None:
    people = [ANA, EVA, RUI]
    for change, of, by, roles in doings:
        told: dict[str, Any] = {"name": of.title(), "roles": list(roles)}
        if change == staff.ENROLLED:
            told["language"] = "pt"
        elif change != staff.SET:
            told = {}
        before = {one.username: one.roles for one in people}
        try:
            people = after(people, staff.change(people, change, of=of, by=by, **told))
        except Refusal:
            continue
        assert any(one.manages for one in people)
        assert {one.username: one.roles for one in people}[by] == before[by]


def test_name_of_a_training_partner_is_nobody_else_s() -> None:
    with pytest.raises(Refusal, match="username_taken"):
        staff.enrol(username="partner.sala-training", name="Ana", roles=["caller"], language="pt")
    assert staff.enrol(username="partner", name="Ana", roles=["caller"], language="pt")

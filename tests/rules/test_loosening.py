"""What protects less waits, what protects more holds at once; every field of a policy is classified."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from bingo.rules import policies
from bingo.rules.policies import (
    FEWEST_DAYS,
    FOUR_EYES,
    LOOSER,
    NOTICE,
    RECEIPTS,
    STRICT,
    HallPolicy,
)
from bingo.rules.refusal import Refusal

NOW = datetime(2026, 11, 27, 22, 30, tzinfo=UTC)
GUARDED = HallPolicy(
    difference_limit=100, four_eyes=("game_voided", "staff_changed"), receipts="printed",
    printers={"T1": "10.0.0.1:9100", "T2": "10.0.0.2:9100"}, automatic=950, interval=6, patience=20, payment_limit=5_000,
    checkpoint_till="T1",
)  # fmt: skip
LESS: dict[str, tuple[Any, ...]] = {
    "difference_limit": (101,), "blind_count": (False,),
    "four_eyes": ((), ("game_voided",), ("cash_moved",)), "receipts": ("none", "shown"),
    "automatic": (949,), "interval": (3, 5, 0), "patience": (21, 0), "picture_days": (89,),
    "payment_limit": (5_001, 0), "checkpoint_till": ("", "T2"),
}  # fmt: skip
MORE: dict[str, tuple[Any, ...]] = {
    "difference_limit": (99, 0), "blind_count": (True,),
    "four_eyes": (("game_voided", "prize_paid", "staff_changed"),), "receipts": ("printed",),
    "automatic": (951, 0), "interval": (7,), "patience": (19,), "picture_days": (91,),
    "payment_limit": (4_999,), "checkpoint_till": ("T1",),
}  # fmt: skip


def decided(policy: HallPolicy, **changed: Any) -> dict[str, Any]:
    told = replace(policy, **changed)
    return {one.name: getattr(told, one.name) for one in fields(told)}


def changed(before: HallPolicy, at: datetime = NOW, *, settled: bool = True, **new: Any) -> Any:
    return policies.change(
        before, tills=["T1", "T2"], at=at, settled=settled, **decided(before, **new)
    )


def policy_at(data: Any, at: datetime) -> HallPolicy:
    return policies.of({"policy": policies.holding(data, at)})


def test_every_field_protects_less_one_way_or_neither() -> None:
    names = {one.name for one in fields(HallPolicy)}
    assert set(LOOSER) | set(policies.EITHER_WAY) == names
    assert not set(LOOSER) & set(policies.EITHER_WAY)
    assert set(LESS) == set(MORE) == set(LOOSER)
    assert set(policies.OF_TWO) <= set(LOOSER)


@pytest.mark.parametrize("name", LOOSER)
def test_what_protects_less_waits_a_day(name: str) -> None:
    for value in LESS[name]:
        told = changed(GUARDED, **{name: value})
        end = NOW + NOTICE
        assert getattr(policy_at(told, end - timedelta(seconds=1)), name) in (
            getattr(GUARDED, name), ("cash_moved", "game_voided", "staff_changed"),
        )  # fmt: skip
        assert getattr(policy_at(told, end), name) == value
        assert policies.waiting(told, end) is None


@pytest.mark.parametrize("name", LOOSER)
def test_what_protects_more_holds_at_once(name: str) -> None:
    for value in MORE[name]:
        told = changed(GUARDED, **{name: value})
        assert "later" not in told
        assert getattr(policy_at(told, NOW), name) == value


@pytest.mark.parametrize("new", [{"low_stock": 5}, {"source": "rng"}, {"cash_step": 100}])
def test_what_protects_nobody_holds_at_once(new: Any) -> None:
    assert "later" not in changed(GUARDED, **new)


def test_tightened_and_loosened_at_once_are_parted() -> None:
    told = changed(GUARDED, payment_limit=9_000, four_eyes=("staff_changed", "prize_paid"))
    now = policy_at(told, NOW)
    assert now.payment_limit == 5_000
    assert set(now.four_eyes) == {"game_voided", "staff_changed", "prize_paid"}
    then = policy_at(told, NOW + NOTICE)
    assert (then.payment_limit, set(then.four_eyes)) == (9_000, {"staff_changed", "prize_paid"})


def test_slip_of_the_inspector_keeps_its_printer_until_then() -> None:
    told = changed(GUARDED, checkpoint_till="", printers={})
    assert policy_at(told, NOW).printers == {"T1": "10.0.0.1:9100"}
    assert (
        policy_at(told, NOW + NOTICE).printers,
        policy_at(told, NOW + NOTICE).checkpoint_till,
    ) == ({}, "")


def test_hall_that_is_being_set_up_waits_for_nothing() -> None:
    assert "later" not in changed(GUARDED, settled=False, four_eyes=(), payment_limit=0)


@pytest.mark.parametrize("hours", [-11, -1, 0, 2, 14])
def test_notice_is_elapsed_time_whatever_the_hour_of_the_hall(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    told = changed(GUARDED, NOW.astimezone(zone), payment_limit=0)
    assert told["later"]["from"] == "2026-11-28T22:30:00+00:00"
    half = changed(GUARDED, NOW + timedelta(microseconds=1), payment_limit=0)
    assert half["later"]["from"] == "2026-11-28T22:30:01+00:00"


def test_withdrawn_only_while_it_waits() -> None:
    told = changed(GUARDED, payment_limit=0)
    end = NOW + NOTICE
    back = policies.withdraw(told, end - timedelta(seconds=1), entry=7)
    assert back["withdraws"] == 7
    assert policy_at(back, end + NOTICE) == GUARDED
    for data, at in ((told, end), (back, NOW), (None, NOW)):
        with pytest.raises(Refusal, match="nothing_waits"):
            policies.withdraw(data, at, entry=7)


def test_two_must_stand_for_a_second_person_taken_away() -> None:
    assert policies.needs_two(GUARDED, replace(GUARDED, four_eyes=("game_voided",)))
    assert policies.needs_two(GUARDED, replace(GUARDED, payment_limit=0))
    assert not policies.needs_two(GUARDED, replace(GUARDED, difference_limit=10_000))
    # The printer of the checkpoints' slips is another at once, but before two; any other by one.
    one, two = GUARDED.printers["T1"], GUARDED.printers["T2"]
    assert policies.needs_two(GUARDED, replace(GUARDED, printers={"T1": two, "T2": two}))
    assert not policies.needs_two(GUARDED, replace(GUARDED, printers={"T1": one, "T2": one}))
    rules = replace(GUARDED, four_eyes=("policy_set",))
    assert policies.needs_two(rules, replace(rules, low_stock=1))


def test_pictures_are_kept_shorter_before_two_where_days_of_keeping_are() -> None:
    rules = replace(GUARDED, four_eyes=("retention_set",))
    assert policies.needs_two(rules, replace(rules, picture_days=rules.picture_days - 1))
    assert not policies.needs_two(rules, replace(rules, picture_days=rules.picture_days + 1))
    assert not policies.needs_two(GUARDED, replace(GUARDED, picture_days=FEWEST_DAYS))


def test_strict_list_is_known_and_protects_itself() -> None:
    assert set(STRICT) < set(FOUR_EYES)
    assert {"policy_set", "staff_changed", "retention_set"} <= set(STRICT)


def test_older_policy_holds_as_it_did() -> None:
    old = {"difference_limit": 5, "blind_count": True, "four_eyes": [], "receipts": "none",
           "low_stock": 60, "printers": {}}  # fmt: skip
    assert policies.holding(old, NOW) == old
    assert policies.waiting(old, NOW) is None


SOME: Any = st.builds(
    HallPolicy,
    difference_limit=st.integers(0, 3), blind_count=st.booleans(),
    four_eyes=st.sets(st.sampled_from(FOUR_EYES), max_size=3).map(
        lambda kinds: tuple(kind for kind in FOUR_EYES if kind in kinds)
    ),
    receipts=st.sampled_from(RECEIPTS), automatic=st.sampled_from([0, 900, 950]),
    interval=st.sampled_from([0, 3, 5, 9]), patience=st.sampled_from([0, 5, 20]),
    picture_days=st.integers(8, 11), payment_limit=st.integers(0, 3),
    printers=st.just({"T1": "10.0.0.1:9100"}), checkpoint_till=st.sampled_from(["", "T1"]),
)  # fmt: skip


@given(before=SOME, after=SOME)
def test_nothing_protects_less_before_its_time(before: HallPolicy, after: HallPolicy) -> None:
    told = policies.change(before, tills=["T1"], at=NOW, settled=True, **decided(after))
    assert policies.loosened(before, policy_at(told, NOW)) == ()
    assert policy_at(told, NOW + NOTICE) == after


class PolicyMachine(RuleBasedStateMachine):
    """A hall that sets, withdraws and waits: what holds is never looser than a day ago allowed."""

    def __init__(self) -> None:
        super().__init__()
        self.at = NOW
        self.data: Any = policies.record(tills=["T1"])
        self.asked: list[tuple[datetime, HallPolicy]] = []

    @rule(after=SOME)
    def set(self, after: HallPolicy) -> None:
        before = policy_at(self.data, self.at)
        self.data = policies.change(
            before, tills=["T1"], at=self.at, settled=True, **decided(after)
        )
        self.asked.append((self.at, after))
        assert policies.loosened(before, policy_at(self.data, self.at)) == ()

    @precondition(lambda self: policies.waiting(self.data, self.at) is not None)
    @rule()
    def withdraw(self) -> None:
        before = policy_at(self.data, self.at)
        self.data = policies.withdraw(self.data, self.at, entry=1)
        assert policy_at(self.data, self.at) == before
        self.asked.clear()

    @rule(hours=st.integers(1, 30))
    def wait(self, hours: int) -> None:
        before, later = policy_at(self.data, self.at), policies.waiting(self.data, self.at)
        self.at += timedelta(hours=hours)
        after = policy_at(self.data, self.at)
        if policies.loosened(before, after):
            asked, wanted = self.asked[-1]
            assert later
            assert self.at - asked >= NOTICE
            assert after == wanted

    @invariant()
    def holds_what_can_be_recorded(self) -> None:
        told = policies.holding(self.data, self.at)
        assert policies.record(tills=["T1"], **policies_of(told)) == told


def policies_of(data: Any) -> dict[str, Any]:
    return decided(policies.of({"policy": data}))


TestPolicies = PolicyMachine.TestCase

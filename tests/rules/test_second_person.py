"""What the hall wants two persons to do is refused to one, and the record names the other."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import policies, session
from bingo.rules.game_flow import Fact
from bingo.rules.policies import FOUR_EYES
from bingo.rules.refusal import Refusal
from tests.support.rules_floor import second
from tests.support.rules_playing import FACE, WHOLE_GAMES, Data, Play, an_issue


def guarded(*kinds: str) -> Play:
    """A session of a hall that wants a second person for these commands."""
    return Play(policy=policies.record(tills=("T1",), four_eyes=kinds)).till()


def sold(play: Play) -> Play:
    play.selling().sell(2)
    return play


def paying(play: Play) -> Play:
    return play.drawing().bingo(1)


def voided(play: Play) -> Play:
    play.selling().sell(2)
    play.do("game_voided", cause="other", reason="x", witness="eva")
    return play


PRIZE: Data = {"issue": 1, "card": 1, "till": "T1"}
MOMENTS: dict[str, tuple[Any, Data]] = {
    "cash_moved": (lambda play: play, {"till": "T1", "amount": 5, "reason": "safe"}),
    "shift_closed": (lambda play: play, {"till": "T1", "counted": 10_000_00, "comment": ""}),
    "cards_refunded": (voided, {"issue": 1, "first": 1, "last": 2, "till": "T1"}),
    "game_voided": (lambda play: play.selling(), {"cause": "other", "reason": "x"}),
    "cards_written_off": (
        lambda play: play.selling(),
        {"issue": 1, "first": 1, "last": 1, "reason": "wet"},
    ),
    "second_issue_opened": (
        lambda play: play.selling(last_sold=80),
        {"issue": an_issue(2), "face": FACE},
    ),
    "prize_paid": (paying, {"issue": 1, "card": 1, "till": "T1"}),
    "sale_taken_back": (
        sold,
        {"sale": 4, "ranges": [{"issue": 1, "first": 1, "last": 2}], "till": "T1", "seconds": 5},
    ),
}


# Decided outside sessions: tried in their rooms, as in tests/jackpots/test_trust.py, and in
# tests/policy/test_second_person_of_rules.py.
BESIDE = {
    "equipment_waived", "complaint_decided", "jackpot_funded", "jackpot_moved", "jackpot_ended",
    "link_funded", "link_moved", "link_ended", "retention_set", "staff_changed", "policy_set",
}  # fmt: skip


def test_every_command_that_may_need_two_is_tried() -> None:
    assert set(MOMENTS) | BESIDE == set(FOUR_EYES)


@pytest.mark.parametrize("kind", MOMENTS)
def test_command_that_needs_two_is_refused_to_one_and_names_the_other(kind: str) -> None:
    reach, inputs = MOMENTS[kind]
    play = reach(guarded(kind))
    alone = play.refused(kind, **inputs)
    assert alone == Refusal("second_person_needed", command=kind)

    assert play.do(kind, **inputs, witness="eva")["witness"] == "eva"
    assert session.replay(play.journal) == play.state
    # Nobody takes the name out of the record, and nobody puts one in whom nobody asked for.
    *before, last = play.journal
    unnamed = Fact(kind, {name: told for name, told in last.data.items() if name != "witness"})
    with pytest.raises(Refusal, match="second_person_needed"):
        session.replay([*before, unnamed])


@pytest.mark.parametrize("kind", MOMENTS)
def test_command_that_needs_one_only_names_nobody(kind: str) -> None:
    others = [one for one in FOUR_EYES if one not in (kind, "game_voided")]
    reach, inputs = MOMENTS[kind]
    assert "witness" not in reach(guarded(*others)).do(kind, **inputs)


def test_second_person_who_was_there_unasked_is_named() -> None:
    play = Play().till()
    told = play.do("cash_moved", till="T1", amount=5, reason="safe", witness="eva")
    assert told == {"till": "T1", "amount": 5, "reason": "safe", "witness": "eva"}
    assert session.replay(play.journal) == play.state


def test_hall_that_has_decided_nothing_needs_no_second_person() -> None:
    play = Play().till().selling(last_sold=80)
    assert "witness" not in second(play)
    play.void().do("entry_completed")


@pytest.mark.parametrize(("difference", "refused"), [(500, False), (501, True), (-501, True)])
def test_count_may_differ_by_what_the_hall_allows(difference: int, refused: bool) -> None:
    play = Play(policy=policies.record(tills=(), difference_limit=500)).till()
    counted = {"till": "T1", "counted": 10_000_00 + difference, "comment": ""}
    if refused:
        assert play.refused("shift_closed", **counted) == Refusal(
            "difference_needs_comment", counted=10_000_00 + difference
        )
        counted["comment"] = "a note was torn"
    assert play.do("shift_closed", **counted)["difference"] == difference


@pytest.mark.parametrize("kind", MOMENTS)
def test_nobody_is_their_own_second_person(kind: str) -> None:
    reach, inputs = MOMENTS[kind]
    play = reach(guarded(kind))
    alone = play.refused(kind, **inputs, witness="rui", by="rui")
    assert alone == Refusal("witness_same_person")
    play.do(kind, **inputs, witness="rui", by="eva")


@pytest.mark.rule(55)
def test_ball_told_as_witnessed_by_whoever_announced_it_is_found() -> None:
    play = Play().drawing_from("rng")
    play.ball(1)
    before = play.state
    play.do("source_changed", source="by_hand", reason="it stopped")
    ball = {"number": 2, "order": 2, "source": "by_hand"}
    assert play.refused("ball_announced", **ball, witness="rui", by="rui").code == (
        "witness_same_person"
    )
    play.do("ball_announced", **ball, witness="eva", by="rui")
    changed, announced = play.journal[-2:]
    state = session.judge(before, changed)
    assert session.judge(state, announced, by="rui") == play.state
    with pytest.raises(Refusal, match="witness_same_person"):
        session.judge(state, announced, by="eva")
    # What does not say by whom it was is judged without it.
    assert session.judge(state, announced) == play.state


def limited(limit: int, *kinds: str) -> Play:
    """A game with a prize of 9.60 net to pay, in a hall that has that limit."""
    kept = policies.record(tills=("T1",), four_eyes=kinds, payment_limit=limit)
    return paying(Play(policy=kept).till())


@pytest.mark.rule(44)
@pytest.mark.parametrize("kinds", [(), ("prize_paid",)])
def test_prize_above_the_halls_limit_is_paid_by_two(kinds: tuple[str, ...]) -> None:
    play = limited(9_59, *kinds)
    alone = play.refused("prize_paid", **PRIZE)
    told = {} if kinds else {"amount": 9_60, "limit": 9_59}
    assert alone == Refusal("second_person_needed", command="prize_paid", **told)

    assert play.do("prize_paid", **PRIZE, witness="eva")["witness"] == "eva"
    assert session.replay(play.journal) == play.state
    *before, last = play.journal
    unnamed = {name: told for name, told in last.data.items() if name != "witness"}
    with pytest.raises(Refusal, match="second_person_needed"):
        session.replay([*before, Fact("prize_paid", unnamed)])


@pytest.mark.parametrize("limit", [0, 9_60])
def test_prize_within_the_halls_limit_is_paid_by_one(limit: int) -> None:
    assert "witness" not in limited(limit).do("prize_paid", **PRIZE)


def test_limit_goes_by_what_the_player_receives() -> None:
    kept = policies.record(tills=("T1",), payment_limit=14_40)
    play = Play(policy=kept, tax={"rate": 1000, "threshold": 0}).till().drawing(10).bingo(3)
    # 16.00 gross, of which a tenth is withheld.
    assert play.pay(3)["amount"] == 16_00


@WHOLE_GAMES
@given(limit=st.integers(0, 20_00), cards=st.integers(1, 12))
def test_one_person_never_pays_more_than_the_limit(limit: int, cards: int) -> None:
    kept = policies.record(tills=("T1",), payment_limit=limit)
    play = Play(policy=kept).till().drawing(cards).bingo(1)
    net = sum(award.amount - award.tax for award in play.game.awards)
    if 0 < limit < net:
        told = play.refused("prize_paid", **PRIZE)
        assert told == Refusal(
            "second_person_needed", command="prize_paid", amount=net, limit=limit
        )
    else:
        play.do("prize_paid", **PRIZE)

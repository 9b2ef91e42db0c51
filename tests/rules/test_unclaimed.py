"""Money that nobody fetched: set aside, owed, paid later, past its period (R44, R50, R57, R60)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from bingo.rules import authorisations, policies, session, session_state, unclaimed
from bingo.rules.complaints import REJECTED, UPHELD
from bingo.rules.game_flow import Fact
from bingo.rules.jackpot_account import JackpotAccount
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from bingo.rules.steps import paying_and_completing as step_paying
from bingo.rules.unclaimed import Ruling, UnclaimedState
from tests.support.rules_playing import FACE, JACKPOT, Play, an_issue, top_line, within

DAY = date(2026, 3, 1)
TERMS = {"days": 30, "to": "treasury"}
LAST_DAY = date(2026, 3, 31)


def refused(code: str, wanted: Any, *arguments: Any, **named: Any) -> dict[str, Any]:
    """What a refusal of the account tells."""
    with pytest.raises(Refusal) as caught:
        wanted(*arguments, **named)
    assert caught.value.code == code
    return caught.value.values


def won(**terms: Any) -> Play:
    """A game of six cards of 2.00 that card 2 has won, line and bingo: 9.60."""
    return Play(**terms).till().till("T2").drawing().bingo(2)


def void(sold: int = 10) -> Play:
    """A void game."""
    return Play().till().drawing(sold).balls(4).void("announcement_error")


def items(
    play: Play, *, entry: int = 7, terms: dict[str, Any] | None = None
) -> list[UnclaimedState]:
    """What the last fact of a game sets aside."""
    fact = play.journal[-1]
    return unclaimed.items_of(
        fact.kind, fact.data, entry=entry, session=1, game=1, on=DAY, terms=terms or {}
    )


def item(
    play: Play | None = None, *, terms: dict[str, Any] | None = None, **how: Any
) -> UnclaimedState:
    """The prize of card 2, set aside."""
    game = play or won()
    game.set_aside(2, **how)
    [one] = items(game, terms=terms)
    return one


# Setting aside


@pytest.mark.rule(44)
@pytest.mark.rule(60)
def test_a_prize_whose_winner_left_is_set_aside_and_the_next_game_opens() -> None:
    play = won()
    cash = play.state.shifts[0].cash
    assert play.refused("entry_completed") == Refusal("prizes_unpaid", left=1)

    told = play.set_aside(2, note="went home before the line was paid")
    assert told == {
        "issue": 1,
        "card": 2,
        "prizes": ["line", "bingo"],
        "amount": 9_60,
        "tax": 0,
        "net": 9_60,
        "reason": "left",
        "note": "went home before the line was paid",
        "witness": "chief",
    }
    # The money stays where it lies: it is no surplus of the till.
    assert play.state.shifts[0].cash == cash
    assert play.do("entry_completed")["paid"] == {"line": 2_40, "bingo": 7_20, "jackpot": 0}
    assert session.replay(play.journal) == play.state
    following = an_issue(1, last_sold=6)
    play.do("game_opened", format=90, face=FACE, issue=following, matrix="")


@pytest.mark.rule(61)
def test_tax_of_a_prize_that_is_set_aside_is_due_as_of_the_prize() -> None:
    told = won(tax={"rate": 1000, "threshold": 0}).set_aside(2)
    assert (told["amount"], told["tax"], told["net"]) == (9_60, 24 + 72, 8_64)


@pytest.mark.rule(44)
@pytest.mark.parametrize(
    ("inputs", "refusal"),
    [
        ({"card": 3, "reason": "left"}, Refusal("no_prize", card=3)),
        ({"card": 2, "reason": "boredom"}, Refusal("unknown_reason", reason="boredom")),
        ({"card": 2, "reason": "other", "note": " "}, Refusal("reason_missing")),
        ({"card": 2, "reason": "left", "note": "x" * 501}, Refusal("bad_text", most=500)),
        ({"card": 2, "reason": "left", "note": "a\x00b"}, Refusal("bad_text", most=500)),
    ],
)
def test_what_is_not_there_to_be_set_aside_is_refused(
    inputs: dict[str, Any], refusal: Refusal
) -> None:
    assert won().refused("prize_set_aside", witness="chief", issue=1, **inputs) == refusal


def test_setting_aside_is_on_the_word_of_two_whatever_the_hall_decides() -> None:
    play = won()
    named: dict[str, Any] = {"issue": 1, "card": 2, "reason": "left"}
    alone = play.refused("prize_set_aside", **named)
    assert alone == Refusal("second_person_needed", command="prize_set_aside")
    same = play.refused("prize_set_aside", by="chief", witness="chief", **named)
    assert same == Refusal("witness_same_person")


@pytest.mark.rule(50)
def test_a_prize_that_is_set_aside_is_neither_paid_in_its_game_nor_set_aside_twice() -> None:
    play = won()
    play.set_aside(2)
    again = Refusal("set_aside_already", card=2)
    assert play.refused("prize_paid", issue=1, card=2, till="T1") == again
    named: dict[str, Any] = {"issue": 1, "card": 2, "reason": "left", "witness": "chief"}
    assert play.refused("prize_set_aside", **named) == again

    paid = won()
    paid.pay(2)
    assert paid.refused("prize_set_aside", **named) == Refusal("already_paid", card=2)


@pytest.mark.rule(44)
def test_nothing_is_set_aside_before_the_game_is_over() -> None:
    play = Play().till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    play.window()
    named: dict[str, Any] = {"issue": 1, "card": 1, "reason": "left", "witness": "chief"}
    refusal = play.refused("prize_set_aside", **named)
    assert refusal == Refusal("wrong_phase", phase="stopped", command="prize_set_aside")


@pytest.mark.rule(44)
def test_a_till_does_not_hand_on_what_was_set_aside() -> None:
    play = won()
    play.set_aside(2)
    due = play.state.shifts[0].cash
    assert "unpaid" not in play.do("shift_closed", till="T1", counted=due, comment="")


@pytest.mark.rule(57)
def test_eight_hundred_cards_of_a_void_game_are_set_aside_in_one_go_when_some_do_not_come_back() -> (
    None
):
    play = Play()
    play.till()
    big = an_issue(1) | {"size": 840, "letter": "J"}
    play.do("game_opened", format=90, face=FACE, issue=big, matrix="")
    play.do("sale_announced")
    play.sell(800)
    play.do("sale_closed")
    play.void("other")
    play.refund(1, 300)
    play.refund(401, 795)
    assert play.refused("entry_completed") == Refusal("refunds_due", left=105)

    left = [(one.first, one.last) for one in step_paying.refunds_left(play.game)]
    assert left == [(301, 400), (796, 800)]
    told = play.refunds_aside(*left)
    assert (told["cards"], told["amount"]) == (105, 210_00)
    assert told["prices"] == [{"issue": 1, "price": FACE}]
    entry = play.do("entry_completed")
    assert (entry["refunded"], entry["refunds_aside"]) == (695 * FACE, 105 * FACE)
    assert entry["refunded"] + entry["refunds_aside"] == entry["gross"]
    assert session.replay(play.journal) == play.state


@pytest.mark.rule(57)
@pytest.mark.parametrize(
    ("ranges", "refusal"),
    [
        ([], Refusal("refunds_missing")),
        ([(10, 11)], Refusal("not_sold", card=11)),
        ([(1, 2)], Refusal("already_refunded", card=1)),
        ([(5, 6), (6, 7)], Refusal("set_aside_already", card=6)),
        ([(7, 6)], Refusal("not_sold", card=7)),
        ([(0, 6)], Refusal("not_sold", card=0)),
    ],
)
def test_cards_whose_price_is_not_due_are_not_set_aside(
    ranges: list[tuple[int, int]], refusal: Refusal
) -> None:
    play = void()
    play.refund(1, 1)
    asked = [{"issue": 1, "first": first, "last": last} for first, last in ranges]
    named: dict[str, Any] = {"ranges": asked, "reason": "left", "witness": "chief"}
    assert play.refused("refund_set_aside", **named) == refusal


@pytest.mark.rule(57)
def test_a_refund_that_is_set_aside_is_not_given_back_in_its_game() -> None:
    play = void()
    play.refunds_aside((3, 5))
    refusal = play.refused("cards_refunded", issue=1, first=5, last=6, till="T1")
    assert refusal == Refusal("set_aside_already", card=5)


@pytest.mark.rule(15)
@pytest.mark.rule(57)
def test_double_cards_whose_first_game_is_void_are_owed_both_halves() -> None:
    play = Play().till()
    on_sale = an_issue(1) | {"double": True}
    play.do("game_opened", format=90, face=FACE, issue=on_sale, matrix="")
    play.do("sale_announced")
    play.sell(6)
    play.do("sale_closed")
    play.void("other")
    told = play.refunds_aside((1, 6))
    assert told["amount"] == 6 * 2 * FACE
    play.do("entry_completed")
    assert not play.state.half_due


def double(rulebook: str, **terms: Any) -> Play:
    """Double cards whose first game card 2 has won."""
    play = Play(rulebook=rulebook, **terms).till()
    on_sale = an_issue(1) | {"double": True}
    play.do("game_opened", format=90, face=FACE, issue=on_sale, matrix="")
    play.do("sale_announced")
    play.sell(6)
    return play.begin_draw().bingo(2)


@pytest.mark.rule(45)
def test_a_prize_of_the_first_half_is_set_aside_with_the_second_as_it_would_be_paid() -> None:
    play = double("cape-verde-2017")
    named: dict[str, Any] = {"issue": 1, "card": 2, "reason": "left", "witness": "chief"}
    early = play.refused("prize_set_aside", **named)
    assert early == Refusal("paid_after_second_game", card=2)
    play.do("entry_completed")
    play.do("second_half_opened")
    play.do("draw_announced")
    play.void("other")
    told = play.set_aside(2)
    # The second game is void; what the first has won is owed all the same.
    assert (told["prizes"], told["first_game"], told["net"]) == ([], ["line", "bingo"], 9_60)
    play.refunds_aside((1, 6))
    play.do("entry_completed")
    assert session.replay(play.journal) == play.state


@pytest.mark.rule("BOE IV")
def test_a_prize_set_aside_in_the_first_half_is_not_owed_again_in_the_second() -> None:
    play = double("spain-1979", shares={"line": 500, "bingo": 4500})
    play.set_aside(2)
    play.do("entry_completed")
    play.do("second_half_opened")
    assert play.game.carried == ()


# The account


def test_what_is_set_aside_is_an_item_with_its_period() -> None:
    one = item(terms=TERMS)
    assert one == UnclaimedState(
        entry=7, owed="prize", session=1, game=1, issue=1, first=2, last=2, price=9_60,
        reason="left", until=LAST_DAY, to="treasury",
    )  # fmt: skip
    assert (one.cards, one.amount) == (1, 9_60)
    for_ever = item()
    assert (for_ever.until, for_ever.to) == (None, "")


@pytest.mark.rule(44)
def test_what_is_owed_is_paid_against_the_card_once() -> None:
    one = item(terms=TERMS)
    told = unclaimed.pay(one, first=2, last=2, till="T2", on=LAST_DAY)
    assert told == {
        "item": 7, "owed": "prize", "of_session": 1, "of_game": 1, "issue": 1, "first": 2, "last": 2,
        "amount": 9_60, "till": "T2",
    }  # fmt: skip
    # A copied card shows the same number again.
    settled = unclaimed.settle(one, 2, 2)
    named: dict[str, Any] = {"first": 2, "last": 2, "till": "T1", "on": DAY}
    assert refused("unclaimed_paid_already", unclaimed.pay, settled, **named) == {"card": 2}
    assert (settled.cards, settled.amount) == (0, 0)


LATER = 10**6  # the number of an entry after what was set aside


def test_a_card_of_something_else_is_owed_nothing() -> None:
    named: dict[str, Any] = {"till": "T1", "on": DAY}
    for first, last in ((1, 1), (2, 3), (3, 2), (0, 2)):
        refused("nothing_owed", unclaimed.pay, item(), first=first, last=last, **named)


def test_nothing_is_paid_after_its_period_but_what_was_complained_of_within_it() -> None:
    one = item(terms=TERMS)
    late: dict[str, Any] = {"first": 2, "last": 2, "till": "T1", "on": date(2026, 4, 1)}
    assert refused("unclaimed_period_over", unclaimed.pay, one, **late) == {"day": "2026-03-31"}
    in_time = Ruling(1, 1, UPHELD, LAST_DAY, (1, 2), LATER)
    assert unclaimed.pay(one, ruling=in_time, **late)["complaint"] == [1, 1]
    too_late = Ruling(1, 2, UPHELD, date(2026, 4, 1), (1, 2), LATER)
    refused("unclaimed_period_over", unclaimed.pay, one, ruling=too_late, **late)


@pytest.mark.rule(30)
@pytest.mark.parametrize("reason", ["damaged", "altered"])
def test_a_card_that_was_refused_is_not_paid_by_being_shown_again(reason: str) -> None:
    one = item(reason=reason)
    named: dict[str, Any] = {"first": 2, "last": 2, "till": "T1", "on": DAY}
    refused("card_was_refused", unclaimed.pay, one, **named)
    upheld = Ruling(1, 1, UPHELD, DAY, (1, 2), LATER)
    assert unclaimed.pay(one, ruling=upheld, **named)["amount"] == 9_60


@pytest.mark.rule(61)
def test_only_an_upheld_complaint_about_the_card_pays() -> None:
    one = item(reason="lost")
    named: dict[str, Any] = {"first": 2, "last": 2, "till": "T1", "on": DAY}
    for ruling, code in (
        (Ruling(1, 1, REJECTED, DAY, (1, 2)), "complaint_not_upheld"),
        (Ruling(1, 1, "", DAY, (1, 2)), "complaint_not_upheld"),
        (Ruling(1, 1, UPHELD, DAY, (1, 3)), "complaint_of_other_card"),
        (Ruling(1, 1, UPHELD, DAY, (2, 2)), "complaint_of_other_card"),
        (Ruling(1, 1, UPHELD, DAY, None, LATER), "complaint_of_other_card"),
        (Ruling(1, 1, UPHELD, DAY, (1, 2)), "complaint_decided_before"),
        (Ruling(1, 1, UPHELD, DAY, (1, 2), one.entry - 1), "complaint_decided_before"),
    ):
        refused(code, unclaimed.pay, one, ruling=ruling, **named)
    upheld = Ruling(1, 1, UPHELD, DAY, (1, 2), LATER)
    assert unclaimed.pay(one, ruling=upheld, **named)["complaint"] == [1, 1]


@pytest.mark.rule(57)
def test_a_refund_is_paid_card_by_card_to_whoever_comes() -> None:
    play = void()
    play.refunds_aside((3, 8))
    [one] = items(play)
    named: dict[str, Any] = {"till": "T1", "on": DAY}
    assert unclaimed.pay(one, first=4, last=5, **named)["amount"] == 2 * FACE
    left = unclaimed.settle(one, 4, 5)
    assert (left.open_parts, left.amount) == (((3, 3), (6, 8)), 4 * FACE)
    assert refused("unclaimed_paid_already", unclaimed.pay, left, first=3, last=8, **named) == {
        "card": 4
    }


def test_a_prize_of_which_nothing_is_handed_over_is_owed_to_nobody() -> None:
    play = won(tax={"rate": 10_000, "threshold": 0})
    assert play.set_aside(2)["net"] == 0
    assert items(play) == []


# Out of a till


def paying(**changes: Any) -> dict[str, Any]:
    """The inputs of a later payment."""
    told = unclaimed.pay(item(), first=2, last=2, till="T1", on=DAY)
    return told | changes


@pytest.mark.rule(44)
def test_what_is_paid_later_leaves_the_till_of_whoever_pays() -> None:
    later = Play(number=2).till().till("T2", float=9_59)
    told = later.do("unclaimed_paid", **paying())
    assert [one.cash for one in later.state.shifts] == [10_000_00 - 9_60, 9_59]
    assert told == paying()
    assert session.replay(later.journal) == later.state
    short = later.refused("unclaimed_paid", **paying(till="T2"))
    assert short == Refusal("cash_short", left=9_59, due=9_60, tills=["T1"])
    assert later.refused("unclaimed_paid", **paying(till="T3")) == Refusal(
        "shift_not_open", till="T3"
    )
    assert later.refused("unclaimed_paid", **paying(amount=0)) == Refusal("bad_amount", amount=0)


@pytest.mark.parametrize(
    ("policy", "changes"),
    [
        ({}, {"complaint": [1, 1]}),
        ({"four_eyes": ["prize_paid"]}, {}),
        ({"four_eyes": ["cards_refunded"]}, {"owed": "refund"}),
        ({"payment_limit": 9_59}, {}),
    ],
)
def test_what_is_paid_later_wants_two_where_paying_it_would_have(
    policy: dict[str, Any], changes: dict[str, Any]
) -> None:
    told = {
        "difference_limit": 0, "blind_count": False, "four_eyes": [], "receipts": "none",
        "low_stock": 0, "printers": {},
    }  # fmt: skip
    later = Play(number=2, policy=told | policy).till()
    alone = later.refused("unclaimed_paid", **paying(**changes))
    assert alone.code == "second_person_needed"
    later.do("unclaimed_paid", witness="chief", **paying(**changes))


@pytest.mark.rule(57)
@pytest.mark.parametrize("policy", [{"payment_limit": 1}, {"four_eyes": ["prize_paid"]}])
def test_refund_is_paid_later_by_one_person_where_it_would_have_been(
    policy: dict[str, Any],
) -> None:
    kept = policies.record(**{"tills": ("T1",)} | policy)
    Play(policy=kept).till().drawing().void().refund(1, 2)
    later = Play(number=2, policy=kept).till()
    assert "witness" not in later.do("unclaimed_paid", **paying(owed="refund"))


# The period is over


def over(**terms: Any) -> UnclaimedState:
    """An item whose period is over on 1 April."""
    return item(terms=TERMS | terms)


def test_what_nobody_fetched_goes_where_the_authorisation_says() -> None:
    first, second, other = over(), over(), over(to="operator")
    named: dict[str, Any] = {"to": "treasury", "reference": "DUC 4/2026", "held": ()}
    told = unclaimed.expire([first, second, other], on=date(2026, 4, 1), **named)
    assert (told["to"], told["amount"], len(told["items"])) == ("treasury", 19_20, 2)
    assert told["items"][0]["amount"] == 9_60

    refused("nothing_expired", unclaimed.expire, [first], on=LAST_DAY, **named)
    refused("nothing_expired", unclaimed.expire, [item()], on=date(2126, 4, 1), **named)
    held: dict[str, Any] = named | {"held": {(1, 2)}}
    refused("nothing_expired", unclaimed.expire, [first], on=date(2026, 4, 1), **held)
    paper: dict[str, Any] = named | {"reference": " "}
    refused("paper_missing", unclaimed.expire, [first], on=date(2026, 4, 1), **paper)


def test_only_what_is_still_owed_goes() -> None:
    play = void()
    play.refunds_aside((3, 8))
    [one] = items(play, terms=TERMS)
    left = unclaimed.settle(one, 4, 5)
    named: dict[str, Any] = {
        "to": "treasury",
        "reference": "DUC",
        "held": (),
        "on": date(2026, 4, 1),
    }
    told = unclaimed.expire([left], **named)
    assert [(each["first"], each["last"]) for each in told["items"]] == [(3, 3), (6, 8)]
    assert told["amount"] == 4 * FACE == sum(each["amount"] for each in told["items"])


@pytest.mark.rule(10)
def test_the_jackpot_takes_what_it_is_given_and_its_account_says_so() -> None:
    told = unclaimed.expire(
        [over(to="jackpot")], to="jackpot", reference="1/2026", on=date(2026, 4, 1), held=(),
        balance=800_00,
    )  # fmt: skip
    assert told["balance"] == 809_60
    [carried, moved] = JackpotAccount().movements(Fact("unclaimed_expired", told))
    assert (carried.kind, carried.amount) == ("carried", 800_00)
    assert (moved.kind, moved.amount, moved.balance) == ("unclaimed_expired", 9_60, 809_60)


# What the regulator grants


GRANT: dict[str, Any] = {
    "rulebook": "cape-verde-2017", "reference": "1/2026", "valid_from": "2026-01-01",
    "valid_until": None, "formats": [90], "faces": [2_00], "sizes": {}, "double_cards": False,
    "line_share": 2000, "bingo_share": 6000, "jackpot_rate": 0, "jackpot_limit": 0,
    "jackpot_base": 0, "tax_rate": 0, "tax_threshold": 0,
}  # fmt: skip
WITH_JACKPOT = GRANT | {"jackpot_rate": 300, "jackpot_limit": 45, "jackpot_base": 500_00}


def test_an_authorisation_may_name_a_period_and_where_the_money_goes_then() -> None:
    told = authorisations.record(**GRANT, unclaimed_terms=TERMS)
    assert told["unclaimed_terms"] == TERMS
    assert "unclaimed_terms" not in authorisations.record(**GRANT)
    terms = {"days": 90, "to": "jackpot"}
    assert authorisations.record(**WITH_JACKPOT, unclaimed_terms=terms)["unclaimed_terms"] == terms


def test_unclaimed_money_goes_to_any_level_that_is_the_halls_own() -> None:
    terms = {"days": 90, "to": "jackpot"}
    link = within(40) | {"link": "ilhas"}
    own = within(40) | {"rate": 100, "base": 500_00}
    named: dict[str, Any] = {"unclaimed_terms": terms}
    shared = GRANT | {"jackpot_terms": link} | named
    told = authorisations.record(**shared | {"jackpot_rate": 200}, jackpot_levels=[own])
    assert told["unclaimed_terms"] == terms
    refused("unclaimed_without_jackpot", authorisations.record, **shared | {"jackpot_rate": 300})

    linked: dict[str, Any] = link | {"rate": 300, "base": 0, "balance": 0}
    play = Play(jackpot=linked | {"rate": 200}, levels=[JACKPOT | {"rate": 100}], **named)
    assert play.state.terms["unclaimed_terms"] == terms
    with pytest.raises(Refusal, match="unclaimed_without_jackpot"):
        Play(jackpot=linked, **named)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"days": 0, "to": "treasury"}, "bad_unclaimed_terms"),
        ({"days": -1, "to": "treasury"}, "bad_unclaimed_terms"),
        ({"days": 36_501, "to": "treasury"}, "bad_unclaimed_terms"),
        ({"days": True, "to": "treasury"}, "bad_unclaimed_terms"),
        ({"days": "30", "to": "treasury"}, "bad_unclaimed_terms"),
        ({"days": 30, "to": "a cousin"}, "bad_unclaimed_terms"),
        ({"days": 30}, "bad_unclaimed_terms"),
        ({"days": 30, "to": "treasury", "more": 1}, "bad_unclaimed_terms"),
        ({"days": 30, "to": "jackpot"}, "unclaimed_without_jackpot"),
    ],
)
def test_terms_that_are_none_are_refused(terms: dict[str, Any], code: str) -> None:
    refused(code, authorisations.record, **GRANT, unclaimed_terms=terms)
    with pytest.raises(Refusal, match=code):
        Play(unclaimed_terms=terms)


def test_terms_are_those_of_the_session_until_it_closes() -> None:
    play = Play(jackpot=JACKPOT, unclaimed_terms={"days": 60, "to": "jackpot"})
    assert session_state.load(session_state.dump(play.state)) == play.state
    assert play.state.terms["unclaimed_terms"] == {"days": 60, "to": "jackpot"}


def test_a_forged_fact_is_found_by_the_rules_alone() -> None:
    play = won()
    play.set_aside(2)
    *before, last = play.journal
    for name, value in (("net", 9_61), ("amount", 1), ("prizes", ["line"]), ("reason", "boredom")):
        forged = Fact(last.kind, last.data | {name: value})
        with pytest.raises(Refusal):
            session.replay([*before, forged])
    without = {name: one for name, one in last.data.items() if name != "witness"}
    with pytest.raises(Refusal, match="second_person_needed"):
        session.replay([*before, Fact(last.kind, without)])


def test_a_state_with_something_set_aside_is_written_and_read_back() -> None:
    play = void()
    play.refunds_aside((3, 5))
    assert play.game.phase is Phase.VOIDED
    assert session_state.load(session_state.dump(play.state)) == play.state

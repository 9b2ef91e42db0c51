"""What a hall may decide for itself, as it is written down and as a session reads it."""

from __future__ import annotations

from typing import Any

import pytest

from bingo.rules import policies, session_opening
from bingo.rules.policies import FOUR_EYES, HallPolicy
from bingo.rules.refusal import Refusal
from tests.support.rules_playing import terms

TILLS = ("Caixa 1", "Caixa 2")
WHOLE: dict[str, Any] = {
    "difference_limit": 500, "blind_count": False, "four_eyes": ["shift_closed", "game_voided"],
    "receipts": "printed", "low_stock": 30, "printers": {"Caixa 1": "192.168.1.20:9100"},
}  # fmt: skip


def refused(**changed: Any) -> Refusal:
    """Return why a policy is refused."""
    with pytest.raises(Refusal) as caught:
        policies.record(tills=TILLS, **changed)
    return caught.value


def test_policy_is_written_as_it_was_given() -> None:
    assert policies.record(tills=TILLS, **WHOLE) == WHOLE


def test_policy_of_which_nothing_is_said_is_the_usual_one() -> None:
    told = policies.record(tills=TILLS)
    assert told == {
        "difference_limit": 0, "blind_count": True, "four_eyes": [], "receipts": "none",
        "low_stock": 60, "printers": {},
    }  # fmt: skip
    assert policies.of({"policy": told}) == HallPolicy()


def test_kinds_of_command_are_told_once_in_their_own_order() -> None:
    told = policies.record(tills=(), four_eyes=[*reversed(FOUR_EYES), FOUR_EYES[0]])
    assert told["four_eyes"] == list(FOUR_EYES)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (
            {"difference_limit": -1},
            Refusal("bad_policy_amount", field="difference_limit", least=0, most=100_000_000),
        ),
        ({"difference_limit": 10**8 + 1}, "bad_policy_amount"),
        ({"four_eyes": ["cash_moved", "x"]}, Refusal("unknown_command", command="x")),
        ({"four_eyes": ["session_closed"]}, "unknown_command"),
        ({"receipts": "sung"}, Refusal("unknown_receipts", receipts="sung")),
        ({"low_stock": -1}, Refusal("bad_policy_number", field="low_stock", least=0, most=100_000)),
        ({"low_stock": 100_001}, "bad_policy_number"),
        (
            {"payment_limit": -1},
            Refusal("bad_policy_amount", field="payment_limit", least=0, most=10**9),
        ),
        ({"payment_limit": 10**9 + 1}, "bad_policy_amount"),
        ({"cash_step": 0}, Refusal("bad_policy_amount", field="cash_step", least=1, most=10**6)),
        ({"checkpoint_till": "Caixa 1"}, Refusal("till_without_printer")),
        ({"checkpoint_till": "Caixa 9"}, "till_without_printer"),
        ({"printers": {"Caixa 3": "10.0.0.2:9100"}}, Refusal("unknown_till")),
        ({"printers": {"Caixa 1": "10.0.0.2"}}, Refusal("bad_printer", printer="10.0.0.2")),
    ],
)
def test_policy_that_cannot_be_is_refused(changed: dict[str, Any], expected: Refusal | str) -> None:
    caught = refused(**changed)
    assert expected in (caught, caught.code)


@pytest.mark.parametrize(
    "changed",
    [
        {"difference_limit": 10**8},
        {"payment_limit": 10**9},
        {"payment_limit": 1},
        {"cash_step": 10**6},
        {"low_stock": 0},
        {"low_stock": 100_000},
        {"receipts": "shown"},
        {"printers": {"Caixa 1": "10.0.0.2:9100"}, "checkpoint_till": "Caixa 1"},
    ],
)
def test_policy_at_the_edge_is_let_in(changed: dict[str, Any]) -> None:
    assert policies.record(tills=TILLS, **changed) == policies.record(tills=TILLS) | changed


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.2:9100", "192.168.1.20:1", "172.16.0.9:65535", "127.0.0.1:9100",
        "localhost:9100", "caixa-1:9100", "Impressora.sala.lan:9100",
    ],
)  # fmt: skip
def test_printer_in_the_hall_is_let_in(address: str) -> None:
    policies.require_printer(address)


@pytest.mark.parametrize(
    "address",
    [
        "169.254.7.7:9100",
        "", ":", ":9100", "10.0.0.2", "10.0.0.2:", "10.0.0.2:0", "10.0.0.2:65536", "10.0.0.2:09",
        "10.0.0.2:9100 ", " 10.0.0.2:9100", "10.0.0.2:9 100", "8.8.8.8:9100", "0.0.0.0:9100",
        "255.255.255.255:9100", "224.0.0.1:9100", "10.0.0:9100", "10.0.0.256:9100", "2130706433:9100",
        "0x08080808:9100", "8.8.2056:9100", "caixa.8:9100", "tcp://caixa:9100", "caixa/x:9100",
        "user@caixa:9100", "caixa_1:9100", "-caixa:9100", "caixa-:9100", "caixa..lan:9100",
        "cáixa:9100", "10.0.0.2:٩١٠٠", "[::1]:9100", "::1:9100", "caixa:9100\n", "caixa\x00:9100",
        "a" * 64 + ":9100", "a." * 127 + "a:9100", "x" * 300 + ":9100",
    ],
)  # fmt: skip
def test_printer_that_is_none_of_the_hall_is_refused(address: str) -> None:
    with pytest.raises(Refusal) as caught:
        policies.require_printer(address)
    assert caught.value == Refusal("bad_printer", printer=address)


def test_session_reads_the_policy_that_it_opened_with() -> None:
    data = session_opening.open_session(**terms(policy=WHOLE))
    assert data["policy"] == WHOLE
    assert policies.of(data) == HallPolicy(
        difference_limit=500, blind_count=False, four_eyes=("shift_closed", "game_voided"),
        receipts="printed", low_stock=30, printers={"Caixa 1": "192.168.1.20:9100"},
    )  # fmt: skip


def test_session_older_than_policies_has_the_usual_one() -> None:
    data = session_opening.open_session(**terms())
    assert "policy" not in data
    assert policies.of(data) == policies.of({"policy": None}) == HallPolicy()


def test_policy_older_than_a_field_has_its_default() -> None:
    assert policies.of({"policy": {"low_stock": 5}}) == HallPolicy(low_stock=5)


@pytest.mark.rule(35)
@pytest.mark.rule(54)
def test_session_tells_only_the_grants_that_there_are() -> None:
    granted = {"player_limit": 6, "several_prices": True, "languages": ["es"]}
    assert session_opening.open_session(**terms(**granted)) == terms(**granted)
    assert session_opening.open_session(**terms(**dict.fromkeys(granted))) == terms()


def test_policy_tells_of_the_draw_only_what_was_decided() -> None:
    usual = policies.record(tills=())
    of_the_draw = {"source", "automatic", "interval", "patience", "picture_days"}
    assert not of_the_draw & set(usual)
    decided: dict[str, Any] = {
        "source": "camera", "automatic": 975, "interval": 2, "patience": 45, "picture_days": 30,
    }  # fmt: skip
    told = policies.record(tills=(), **decided)
    assert told == usual | decided
    policy = policies.of({"policy": told})
    assert (policy.source, policy.automatic, policy.interval) == ("camera", 975, 2)
    assert (policy.patience, policy.picture_days) == (45, 30)
    older = policies.of({"policy": usual})
    assert (older.source, older.automatic, older.interval) == ("", 0, 0)
    assert (older.patience, older.picture_days) == (20, 90)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"source": "dice"}, "unknown_source"),
        ({"source": "first"}, "unknown_source"),
        ({"automatic": -1}, "bad_policy_number"),
        ({"automatic": 1001}, "bad_policy_number"),
        ({"interval": -1}, "bad_policy_number"),
        ({"interval": 61}, "bad_policy_number"),
        ({"patience": -1}, "bad_policy_number"),
        ({"patience": 4}, "bad_policy_number"),
        ({"patience": 301}, "bad_policy_number"),
        ({"picture_days": 0}, "bad_policy_number"),
        ({"picture_days": 7}, "bad_policy_number"),
        ({"picture_days": 3651}, "bad_policy_number"),
    ],
)
def test_policy_of_the_draw_that_cannot_be_is_refused(wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal, match=code):
        policies.record(tills=(), **wrong)


@pytest.mark.parametrize(
    "changed",
    [
        {"patience": 0},
        {"patience": 5},
        {"patience": 300},
        {"picture_days": 8},
        {"picture_days": 3650},
    ],
)
def test_policy_of_the_draw_at_the_edge_is_let_in(changed: dict[str, Any]) -> None:
    assert policies.record(tills=(), **changed) == policies.record(tills=()) | changed


@pytest.mark.rule(52)
def test_no_hall_keeps_pictures_for_less_than_winning_cards() -> None:
    assert policies.FEWEST_DAYS == 8


@pytest.mark.rule(55)
def test_ball_after_a_fault_may_have_a_witness_though_no_hall_can_ask_for_it() -> None:
    policies.require_known("ball_announced")
    with pytest.raises(Refusal, match="unknown_command"):
        policies.record(tills=(), four_eyes=["ball_announced"])

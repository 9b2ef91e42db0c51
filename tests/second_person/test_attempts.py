"""Wrong passwords make the next try wait: each question for itself, and nobody else's desk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import redis

from bingo.proxies import place_of
from halls import attempts
from halls.attempts import Attempt, LockedOut, Question, begin, succeeded

NOW = datetime(2026, 5, 1, 20, tzinfo=UTC)
DESK, STRANGER = "192.168.1.10", "192.168.1.77"


def tried(
    times: int,
    name: str = "chefe",
    *,
    place: str = DESK,
    question: Question = Question.LOGIN,
    asker: int | None = None,
    at: datetime = NOW,
) -> int:
    """Try in vain so often; return how long the next one waits."""
    for _time in range(times):
        begin(question, name=name, asker=asker, place=place, at=at)
    try:
        begin(question, name=name, asker=asker, place=place, at=at)
    except LockedOut as locked:
        return locked.seconds
    return 0


def logged_in(name: str = "chefe", place: str = DESK) -> Attempt:
    made = begin(Question.LOGIN, name=name, place=place, at=NOW)
    succeeded(made)
    return made


def test_a_few_failures_are_free_and_then_the_wait_doubles() -> None:
    waits, at = [], NOW
    assert tried(4) == 0
    for _time in range(7):
        with pytest.raises(LockedOut) as caught:
            begin(Question.LOGIN, name="chefe", place=DESK, at=at)
        waits.append(caught.value.seconds)
        at += timedelta(seconds=caught.value.seconds)
        begin(Question.LOGIN, name="chefe", place=DESK, at=at)
    assert waits == [30, 60, 120, 240, 480, 900, 900]


def test_clock_set_back_lets_nobody_wait_longer_than_the_longest() -> None:
    tried(4)
    earlier = NOW - timedelta(hours=2)
    assert tried(0, at=earlier) == 900
    assert tried(0, at=earlier + timedelta(seconds=600)) == 300
    assert tried(0, at=earlier + timedelta(seconds=901)) == 0


def test_who_waits_is_not_counted_again() -> None:
    tried(4)
    for _time in range(50):
        with pytest.raises(LockedOut):
            begin(Question.LOGIN, name="chefe", place=DESK, at=NOW)
    assert tried(0, at=NOW + timedelta(seconds=31)) == 0


def test_right_password_forgives_what_was_wrong_before() -> None:
    tried(3)
    logged_in()
    assert tried(4) == 0


def test_stranger_locks_nobody_out_of_their_own_desk() -> None:
    logged_in()
    at = NOW
    for place in (f"10.0.0.{n}" for n in range(60)):
        for _time in range(5):
            try:
                begin(Question.LOGIN, name="chefe", place=place, at=at)
            except LockedOut:
                break
    assert tried(0, place=STRANGER) > 0, "the name is tried from everywhere"
    assert tried(3) == 0


def test_many_names_from_one_address_wait_too_and_other_addresses_do_not() -> None:
    for n in range(20):
        begin(Question.LOGIN, name=f"g{n}", place=STRANGER, at=NOW)
    assert tried(1, "mais-um", place=STRANGER) > 0
    assert tried(1, "mais-um", place=DESK) == 0


def test_all_together_wait_and_who_is_known_does_not() -> None:
    logged_in()
    for n in range(101):
        begin(Question.LOGIN, name=f"g{n}", place=f"10.0.0.{n}", at=NOW)
    assert tried(0, "outro", place="10.9.9.9") > 0
    assert tried(0) == 0


def test_witness_s_question_locks_neither_of_the_two_out_of_the_login() -> None:
    assert tried(5, question=Question.WITNESS, asker=7) == 30
    assert tried(0, question=Question.LOGIN) == 0
    assert tried(0, "caixa", question=Question.LOGIN) == 0
    assert tried(0, question=Question.WITNESS, asker=8) == 0, "another who asks is asked"


def test_witnesses_of_any_name_wait_for_whoever_asks_without_end() -> None:
    for n in range(20):
        begin(Question.WITNESS, name=f"g{n}", asker=7, place=DESK, at=NOW)
    assert tried(1, "mais-um", question=Question.WITNESS, asker=7) == 10


def test_own_password_and_first_word_count_apart() -> None:
    assert tried(5, question=Question.OWN, asker=7) == 30
    assert tried(5, question=Question.FIRST) == 30
    assert tried(0) == 0


def test_network_of_version_6_is_one_place() -> None:
    assert place_of("2001:db8::1") == place_of("2001:db8::ffff:2") != place_of("2001:db8:0:1::1")
    assert place_of("::ffff:192.168.1.10") == place_of("192.168.1.10") == "192.168.1.10"
    assert len(place_of("x" * 5000)) == 100


def test_what_was_typed_is_kept_nowhere() -> None:
    begin(Question.LOGIN, name="palavra-passe-no-nome", place=DESK, at=NOW)
    keys = list(attempts._valkey.scan_iter(f"{attempts.PREFIX}*"))
    assert len(keys) == 4
    assert not [one for one in keys if b"palavra" in one or DESK.encode() in one]


def test_without_valkey_a_password_is_tried_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    away = redis.Redis.from_url("unix:///nowhere")
    monkeypatch.setattr(attempts, "_valkey", away)
    monkeypatch.setattr(attempts, "_begin", away.register_script(attempts._BEGIN))
    assert tried(9) == 0
    succeeded(Attempt((), "known"))

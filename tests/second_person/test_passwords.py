"""Passwords are hashed by turns, in a queue that is short and says so."""

from __future__ import annotations

import threading
import time

import pytest

from bingo.rules.refusal import Refusal
from halls.passwords import Argon2, Turns
from tests.support.hashers import QuickArgon2


def test_beyond_the_queue_it_is_said_at_once() -> None:
    turns = Turns(at_once=1, queue=2, patience=5.0)
    release, inside = threading.Event(), threading.Semaphore(0)

    def hold() -> None:
        with turns.turn():
            inside.release()
            release.wait(timeout=10)

    threads = [threading.Thread(target=hold) for _each in range(3)]
    for one in threads:
        one.start()
    inside.acquire(timeout=5)
    time.sleep(0.1)
    began = time.monotonic()
    with pytest.raises(Refusal) as caught, turns.turn():
        pass
    assert time.monotonic() - began < 1.0
    assert caught.value == Refusal("passwords_busy", seconds=3)
    release.set()
    for one in threads:
        one.join(timeout=5)
    with turns.turn():
        assert True, "there is room again"


def test_nobody_waits_longer_than_patience() -> None:
    turns = Turns(at_once=1, queue=1, patience=0.1)
    with turns.turn():
        found: list[str] = []

        def ask() -> None:
            try:
                with turns.turn():
                    found.append("had a turn")
            except Refusal as refusal:
                found.append(refusal.code)

        other = threading.Thread(target=ask)
        other.start()
        other.join(timeout=5)
    assert found == ["passwords_busy"]


def test_turn_within_a_turn_is_the_same_one() -> None:
    turns = Turns(at_once=1, queue=0, patience=0.1)
    with turns.turn(), turns.turn():
        assert True


@pytest.mark.slow
def test_hash_says_what_it_took_and_an_older_one_is_still_right() -> None:
    written = Argon2().encode("janela-verde-2468", "a salt of a test")
    assert written.startswith("argon2$argon2id$v=19$m=65536,t=3,p=1$")
    assert Argon2().verify("janela-verde-2468", written)
    assert not Argon2().verify("linha-bingo-2469", written)
    older = QuickArgon2().encode("janela-verde-2468", "a salt of a test")
    assert Argon2().verify("janela-verde-2468", older)
    assert not Argon2().must_update(older), "or whoever is asked for it would be logged out"

"""Nobody has all the threads, and no queue grows without end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bingo.http_server import COOKIE, REMEMBERED, Crowded, Queues, Turns


def scope(place: str, browser: str = "") -> dict[str, Any]:
    """A request from an address, by a browser that is logged in or by anybody."""
    cookies = [(b"cookie", f"a=b; sessionid={browser}".encode())] if browser else []
    return {"client": (place, 1), "headers": cookies}


async def most_at_once(turns: Turns, scopes: list[dict[str, Any]], *, password: bool) -> int:
    """Return how many of these are under way at the same moment."""
    inside = most = 0

    async def ask(one: dict[str, Any]) -> None:
        nonlocal inside, most
        async with turns.turn(one, password=password):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1

    await asyncio.gather(*(ask(one) for one in scopes))
    return most


def knowing(*sessions: str) -> Turns:
    """Return turns that have seen somebody logged in by each of these sessions."""
    turns = Turns()
    for one in sessions:
        turns.remember(one)
    return turns


TILLS = [f"till{n}" for n in range(30)]


async def test_browser_has_two_threads_and_its_address_sixteen() -> None:
    assert await most_at_once(knowing("x"), [scope("a", "x")] * 20, password=False) == 2
    tills = [scope("a", till) for till in TILLS]
    assert await most_at_once(knowing(*TILLS), tills, password=False) == 16


@pytest.mark.slow
async def test_three_hundred_phones_behind_one_address_are_all_answered() -> None:
    assert await most_at_once(Turns(), [scope("a")] * 300, password=False) == 2


@pytest.mark.slow
async def test_cookie_that_somebody_invents_is_a_strangers() -> None:
    invented = [scope("a", f"invented{n}") for n in range(300)]
    assert await most_at_once(Turns(), invented, password=False) == 2


async def test_browsers_remembered_are_bounded_and_the_oldest_goes_first() -> None:
    turns = knowing(*(f"till{n}" for n in range(REMEMBERED + 1)))
    assert len(turns._known) == REMEMBERED
    assert "till0" not in turns._known
    strangers = [scope("a", "till0"), scope("a", "invented")] * 20
    assert await most_at_once(turns, strangers, password=False) == 2


async def test_addresses_do_not_wait_for_each_other() -> None:
    many = [scope("a", till) for till in TILLS] + [scope("b", "till")]
    assert await most_at_once(knowing(*TILLS, "till"), many, password=False) == 17


async def test_passwords_of_one_address_are_few_and_the_rest_is_told_so() -> None:
    turns = Turns()
    told = await asyncio.gather(
        *(most_at_once(turns, [scope("a")], password=True) for _each in range(200)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Crowded) for one in told) == 180
    assert await most_at_once(turns, [scope("a")], password=True) == 1, "room again"


async def test_line_that_nobody_stands_in_is_forgotten() -> None:
    queues = Queues(at_once=1, waiting=0)
    async with queues.turn(("place", "a")):
        with pytest.raises(Crowded):
            async with queues.turn(("place", "a")):
                pass
    assert not queues._lines


async def test_who_hangs_up_while_waiting_leaves_the_line() -> None:
    queues = Queues(at_once=1, waiting=1)

    async def wait() -> None:
        async with queues.turn(("place", "a")):
            pass

    async with queues.turn(("place", "a")):
        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert queues._lines[("place", "a")].people == 1


def test_login_is_known_by_its_cookie_over_https_too() -> None:
    for name in (b"sessionid", b"__Host-sessionid"):
        found = COOKIE.search(b"a=b; " + name + b"=abc")
        assert found is not None
        assert found[1] == b"abc"
    assert COOKIE.search(b"other-sessionid=abc") is None

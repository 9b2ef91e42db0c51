"""How often passwords were tried in vain, and how long the next try has to wait.

Each question counts for itself: who is asked for a second person's password locks nobody out of the
login, and nobody from selling. A login counts the name at the address; beside it the name, the
address and all together, so that many names, or many addresses, are no way around. Whoever has
logged in at an address before is known there: for them only their own failures at it count, so that
a stranger elsewhere locks nobody out of their own desk.

A try counts before the password is looked at, and is forgiven when it was right: tries that come at
the same moment cannot all find the count that was there before them.

The counts lie in Valkey, under digests: what is typed as a name may be a password. They outlive the
page server. Where Valkey does not answer nobody is counted, and a password still waits for its
turn (`halls.passwords`).
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import redis
from django.conf import settings

from bingo.proxies import place_of

log = logging.getLogger(__name__)


class Question(StrEnum):
    """What a password is asked for."""

    LOGIN = "login"
    WITNESS = "witness"
    OWN = "own"  # one's own, before another is chosen
    JOIN = "join"  # of an inspector's account elsewhere
    FACTOR = "factor"  # a code or a passkey beside the password
    PROVIDER = "provider"  # an answer of the chain's provider, which is asked about it
    FIRST = "first"  # the word that opens the first hall


class LockedOut(Exception):
    """There were too many failures: nobody is asked for so many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Limit:
    """So many failures are free; the next waits `first` seconds, each further one twice as long."""

    free: int
    first: int
    longest: int


SELF = Limit(free=4, first=30, longest=900)  # a name at an address, or asked for by one person
NAME = Limit(free=20, first=30, longest=900)  # a name, wherever it is tried
PLACE = Limit(free=20, first=10, longest=300)  # an address, whatever names it tries
ALL = Limit(free=100, first=2, longest=60)  # everybody who is not known where they are
FORGOTTEN = 3600  # seconds after which failures without another are forgotten
KNOWN = 60 * 86_400  # seconds for which somebody who has logged in at an address is known there


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try: its counters by key, and the key under which a success is remembered, if any."""

    counters: tuple[tuple[str, Limit], ...]
    known: str = ""


# KEYS: counters. ARGV: now, forgotten, then free, first, longest of each. Returns the seconds to
# wait, 0 where the try may go on and was counted.
_BEGIN = """
local wait = 0
for i, key in ipairs(KEYS) do
  local left = tonumber(redis.call('HGET', key, 'until') or '0') - ARGV[1]
  local longest = tonumber(ARGV[3 * i + 2])
  -- The clock was set back: it waits as long as it may, and no longer.
  if left > longest then
    left = longest
    redis.call('HSET', key, 'until', ARGV[1] + longest)
  end
  if left > wait then wait = left end
end
if wait > 0 then return tostring(wait) end
for i, key in ipairs(KEYS) do
  local failures = redis.call('HINCRBY', key, 'failures', 1)
  local over = failures - tonumber(ARGV[3 * i])
  if over > 0 then
    local pause = tonumber(ARGV[3 * i + 1]) * 2 ^ math.min(over - 1, 20)
    local longest = tonumber(ARGV[3 * i + 2])
    if pause > longest then pause = longest end
    redis.call('HSET', key, 'until', ARGV[1] + pause)
  end
  redis.call('EXPIRE', key, ARGV[2])
end
return '0'
"""
# KEYS: the counters. ARGV: how many of them are forgiven wholly; of the others one failure is.
_FORGIVE = """
for i, key in ipairs(KEYS) do
  if i <= tonumber(ARGV[1]) then redis.call('DEL', key)
  elseif redis.call('EXISTS', key) == 1 then
    redis.call('HINCRBY', key, 'failures', -1)
    redis.call('HDEL', key, 'until')
  end
end
"""

_valkey = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5)
_begin, _forgive = _valkey.register_script(_BEGIN), _valkey.register_script(_FORGIVE)


def begin(
    question: Question, *, name: str = "", asker: int | None = None, place: str, at: datetime
) -> Attempt:
    """Count a try as a failure until it is known to be none. Raises LockedOut, which counts nothing.

    `asker` is the key of whoever is logged in, `place` the address that is asked from.
    """
    try:
        found = _attempt(question, name=name, asker=asker, place=place_of(place))
        limits = [n for _key, one in found.counters for n in (one.free, one.first, one.longest)]
        keys = [key for key, _limit in found.counters]
        wait = float(_begin(keys=keys, args=[at.timestamp(), FORGOTTEN, *limits]))
    except redis.RedisError as error:
        log.warning("tries of passwords are not counted: %s", type(error).__name__)
        return Attempt(())
    if wait > 0:
        raise LockedOut(math.ceil(wait))
    return found


def succeeded(attempt: Attempt) -> None:
    """Forgive a try whose password was right; whoever logged in is known at their address."""
    try:
        if attempt.counters:
            _forgive(keys=[key for key, _limit in attempt.counters], args=[1])
        if attempt.known:
            _valkey.set(attempt.known, 1, ex=KNOWN)
    except redis.RedisError as error:
        log.warning("a right password is not remembered: %s", type(error).__name__)


def _attempt(question: Question, *, name: str, asker: int | None, place: str) -> Attempt:
    if question is Question.LOGIN:
        own, known = _key(question, name, place), _key("known", name, place)
        if _valkey.exists(known):
            return Attempt(((own, SELF),), known)
        others = (
            (_key(question, "name", name), NAME),
            (_key(question, "place", place), PLACE),
            (_key(question, "all"), ALL),
        )
        return Attempt(((own, SELF), *others), known)
    if question is Question.PROVIDER:
        return Attempt(((_key(question, place), PLACE), (_key(question, "all"), ALL)))
    if question is Question.FIRST:
        return Attempt(((_key(question, place), SELF), (_key(question, "all"), ALL)))
    pair = (_key(question, name, str(asker)), SELF)
    return Attempt((pair, (_key(question, "asker", str(asker)), PLACE)))


PREFIX = "attempts:"  # of the keys


def _key(*parts: str) -> str:
    words = "\x00".join(_plain(parts))
    secret = settings.SECRET_KEY.encode()
    return PREFIX + hmac.new(secret, words.encode(), hashlib.sha256).hexdigest()


def _plain(parts: Sequence[str]) -> list[str]:
    return [f"{len(one)}:{one}" for one in (str(part)[:300] for part in parts)]

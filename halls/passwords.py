"""Passwords hashed by turns: few at once, a short queue, and a plain word beyond it.

Argon2 takes the memory and the time that it is told to, for each password that anybody sends. Were
as many hashed as are sent, whoever sends two hundred at once would have the machine, and the sales
would wait. So a hash has its turn; a queue that is full says so at once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

from bingo.rules.refusal import Refusal

NICENESS = 10  # of 19, of threads that hash
AGAIN = 3  # seconds after which whoever finds the queue full may try again


class Turns:
    """So many at once, so many more in the queue, none of whom waits longer than `patience` seconds."""

    def __init__(self, *, at_once: int, queue: int, patience: float) -> None:
        self._room = threading.BoundedSemaphore(at_once + queue)
        self._turn = threading.BoundedSemaphore(at_once)
        self._patience = patience
        self._own = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and keep it while the block runs; within it there is no other to wait for.

        Raises Refusal passwords_busy where the queue is full, or moves too slowly.
        """
        if getattr(self._own, "has", False):
            yield
            return
        if not self._room.acquire(blocking=False):
            raise Refusal("passwords_busy", seconds=AGAIN)
        try:
            if not self._turn.acquire(timeout=self._patience):
                raise Refusal("passwords_busy", seconds=AGAIN)
            try:
                self._own.has = True
                yield
            finally:
                self._own.has = False
                self._turn.release()
        finally:
            self._room.release()


_turns = Turns(
    at_once=settings.PASSWORDS_AT_ONCE,
    queue=settings.PASSWORDS_WAITING,
    patience=settings.PASSWORDS_PATIENCE,
)
turn = _turns.turn


def _give_way() -> None:
    """Let this thread have what the others leave: a password may take longer, a sale may not."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_hashing = ThreadPoolExecutor(settings.PASSWORDS_AT_ONCE, "hashing", initializer=_give_way)


class Argon2(Argon2PasswordHasher):
    """Argon2id by turns, each with 64 MiB in one thread and three passes.

    RFC 9106 recommends that memory and those passes (4, second choice) with four lanes; lanes are
    threads, and on a machine of two processors four of them would be taken from the sales.
    """

    time_cost = 3
    memory_cost = 64 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Hash a password in its turn. Raises Refusal passwords_busy."""
        with turn():
            return str(_hashing.submit(super().encode, password, salt).result())

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether a password is the one of a hash, in its turn. Raises Refusal passwords_busy."""
        with turn():
            return bool(_hashing.submit(super().verify, password, encoded).result())

    def must_update(self, encoded: str) -> bool:
        """Leave a hash of earlier settings as it is: a new one would end its owner's other logins."""
        return False

"""Linked jackpots of a hall, for its page: what each holds, who takes part, what moved it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from halls.models import Hall, Link, LinkMember, LinkMovement
from halls.queries import links

SHOWN = 50  # movements


@dataclass(frozen=True, slots=True)
class Told:
    """A link as a hall sees it, in minor units: `worth` is what a bingo there wins now.

    `waiting` is what games of other halls have added that can still be voided. `movements` are the
    newest first, SHOWN at most.
    """

    link: Link
    worth: int
    members: Sequence[LinkMember]
    movements: Sequence[LinkMovement]

    @property
    def waiting(self) -> int:
        """What waits in the other halls."""
        return self.link.balance - self.worth


def told(hall: Hall) -> list[Told]:
    """Give every link that a hall takes part in, by code."""
    _heads, worth = links.seen(hall)
    return [_told(link, worth[link.code]) for link in Link.objects.filter(code__in=worth)]


def _told(link: Link, worth: int) -> Told:
    moved = link.movements.select_related("hall", "entry__session").order_by("-number")
    return Told(
        link,
        worth,
        list(link.members.select_related("hall").order_by("hall__name")),
        list(moved[:SHOWN]),
    )

"""Prizes that a shift ended without having paid, and whoever closed it (R44)."""

from __future__ import annotations

from dataclasses import dataclass

from halls.models import JournalEntry, Session

Won = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class HandedOn:
    """A winning card left to the shifts that follow; `amount` is what the player receives.

    `entry` is the number of the entry that closed the shift, `by` the name of whoever closed it.
    """

    game: int
    issue: int
    card: int
    amount: int
    shift: int
    till: str
    by: str
    entry: int


def handed_on(session: Session, *, before: int | None = None) -> dict[Won, HandedOn]:
    """Give those of a session by (game, issue, card), each as the last shift handed it on.

    `before` is the entry up to which the journal is read. A prize paid since is among them.
    """
    closings = JournalEntry.objects.filter(session=session, kind="shift_closed")
    if before is not None:
        closings = closings.filter(number__lt=before)
    told = closings.filter(data__has_key="unpaid").select_related("by").order_by("number")
    return {
        (each["game"], each["issue"], each["card"]): _left(entry, each)
        for entry in told
        for each in entry.data["unpaid"]
    }


def _left(entry: JournalEntry, each: dict[str, int]) -> HandedOn:
    return HandedOn(
        **each,
        shift=entry.data["shift"],
        till=entry.data["till"],
        by=entry.by.name if entry.by else "",
        entry=entry.number,
    )

"""Whether what one hall gave of its jackpot, the other tells to have received (rule 23)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from bingo.rules import links, trust
from halls.models import Hall, JournalEntry
from halls.queries.chain import Finding

# Whether it was given, and the taker's level, the amount and the reference.
Move = tuple[bool, tuple[Any, ...]]


def differing(hall: Hall) -> Iterator[Finding]:
    """Give each move of a hall's jackpot that the other hall's journal does not tell in its turn.

    Nothing is known of a hall that is not in this database.
    """
    known = dict(Hall.objects.values_list("code", "pk"))
    ours = _moves(hall)
    for other, moves in ours.items():
        if other not in known:
            continue
        theirs = _moves(Hall.objects.get(pk=known[other]))[hall.code]
        left = Counter(move for _number, move in theirs)
        for number, move in moves:
            turned = (not move[0], move[1])
            if not left[turned]:
                yield Finding(number, "counterpart_missing", other)
            left[turned] -= 1


def _moves(hall: Hall) -> dict[str, list[tuple[int, Move]]]:
    """Give, by the other hall's code, the number of each entry, whether it gave, and what."""
    found: dict[str, list[tuple[int, Move]]] = defaultdict(list)
    kinds = (trust.MOVED, links.MOVED, trust.RECEIVED)
    for entry in JournalEntry.objects.filter(hall=hall, kind__in=kinds).order_by("number"):
        data, gave = entry.data, entry.kind != trust.RECEIVED
        level = data["to_level"] if gave else data["level"]
        other = data["to"] if gave else data["origin"]
        found[other].append((entry.number, (gave, (level, data["amount"], data["reference"]))))
    return found

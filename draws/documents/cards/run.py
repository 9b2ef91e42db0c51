"""Pages one after another, with word of how far they have come."""

from collections.abc import Callable

from draws.documents.cards.front import Front
from draws.documents.cards.press import Press
from draws.documents.cards.values import Cards

PAGES = 50  # between two words of progress

Progress = Callable[[int], None]


def run(
    press: Press,
    front: Front,
    cards: Cards,
    progress: Progress,
    back: Callable[[int], str] | None = None,
) -> int:
    """Print all cards and finish the file; give the number of pages.

    `back` gives the other side of a page of so many cards. `progress` is told the cards done.
    """
    told = 0
    for first in range(0, len(cards), front.capacity):
        page = cards[first : first + front.capacity]
        press.page(front.operators(page))
        if back:
            press.page(back(len(page)))
        if press.pages - told >= PAGES:
            told = press.pages
            progress(first + len(page))
    progress(len(cards))
    return press.finish()

"""What the tests of claims share with others."""

from __future__ import annotations

from tests.support.people import Person


def look(chief: Person, card: object, *, fault: str = "", place: str = "") -> None:
    """Type a card, what is wrong with it, where its player sits, and check it."""
    chief.page.fill("#card", str(card))
    chief.page.select_option("#fault", fault)
    chief.page.fill("#place", place)
    with chief.page.expect_response("**/do/check/"):
        chief.page.keyboard.press("F2")

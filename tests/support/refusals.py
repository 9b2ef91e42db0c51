"""What the tests of refusals share with others."""

from django.utils import translation
from playwright.sync_api import expect

from bingo.rules.refusal import Refusal
from draws.refusals import text
from tests.support.people import Person


def refused(person: Person, refusal: Refusal) -> None:
    """The page shows the refusal's own sentence, in Portuguese."""
    with translation.override("en"):
        english = text.refusal(refusal)
    with translation.override("pt"):
        told = text.refusal(refusal)
    assert told != english
    expect(person.page.locator(f"#live [data-code={refusal.code}]")).to_contain_text(told)

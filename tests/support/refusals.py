"""What the tests of refusals share with others."""

import re

from django.utils import translation
from playwright.sync_api import expect

from bingo.rules.refusal import Refusal
from draws.refusals import text
from tests.support.people import Person

RULE = re.compile(r"\s\(R\d[^()]*\)")


def refused(person: Person, refusal: Refusal) -> None:
    """The page shows the refusal's own sentence, in Portuguese; a rule's number is asked for with "why?".

    A field is called as its label calls it.
    """
    field = refusal.values.get("field")
    label = person.page.locator(f"label[for={field}]").first.inner_text() if field else ""
    with translation.override("en"):
        english = text.refusal(refusal, label=label)
    with translation.override("pt"):
        told = text.refusal(refusal, label=label)
        told = RULE.sub(f" ({translation.gettext('why?')})", told)
    assert told != english
    expect(person.page.locator(f"#live [data-code={refusal.code}]")).to_contain_text(told)

"""What a person asks for with one POST: who, when, its key, and its fields read with care."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from bingo import amounts
from bingo.rules.refusal import Refusal
from bingo.rules.signs import is_shown
from halls.models import Hall, Person

LONGEST = 500
LARGEST = 2**31 - 1
# Python's own readers also take other scripts' digits, exponents and underscores.
WHOLE = re.compile(r"-?[0-9]{1,10}")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")  # as a field of type date sends it
PERCENT = re.compile(r"([0-9]{1,3})(?:[.,]([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class Fields:
    """What a person has typed into a form."""

    person: Person
    fields: QueryDict = field(repr=False)  # no log tells what was typed

    @property
    def hall(self) -> Hall:
        """The person's hall."""
        return self.person.hall

    def text(self, name: str, *, longest: int = LONGEST) -> str:
        """Give a text field, trimmed. Raises Refusal bad_input when it is missing or too long."""
        value = self.fields.get(name)
        if value is None or len(value) > longest or not is_shown(value):
            raise Refusal("bad_input", field=name, wanted="text", most=longest)
        return value.strip()

    def choice(self, name: str, among: tuple[str, ...]) -> str:
        """Give one of the texts that a list offers. Raises Refusal bad_input."""
        value = self.text(name)
        if value not in among:
            raise Refusal("bad_input", field=name, wanted="choice")
        return value

    def integer(self, name: str) -> int:
        """Give a whole number. Raises Refusal bad_input."""
        value = self.text(name)
        if not WHOLE.fullmatch(value) or abs(int(value)) > LARGEST:
            raise Refusal("bad_input", field=name, wanted="whole")
        return int(value)

    def optional_integer(self, name: str) -> int | None:
        """Give a whole number, or None when the field is empty."""
        return self.integer(name) if self.fields.get(name) else None

    def amount(self, name: str) -> int:
        """Give typed money in minor units. Raises Refusal: bad_input, bad_amount."""
        return amounts.read(self.text(name), currency=self.hall.currency)

    def day(self, name: str) -> date:
        """Give a day. Raises Refusal bad_input."""
        value = self.text(name)
        if not DAY.fullmatch(value):
            raise Refusal("bad_input", field=name, wanted="day")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise Refusal("bad_input", field=name, wanted="day") from None

    def points(self, name: str) -> int:
        """Give a typed percentage, such as 2,4, in basis points. Raises Refusal bad_input."""
        found = PERCENT.fullmatch(self.text(name).removesuffix("%").rstrip())
        if found is None:
            raise Refusal("bad_input", field=name, wanted="percent")
        return int(Decimal(f"{found[1]}.{found[2] or '0'}") * 100)

    def optional_points(self, name: str) -> int:
        """Give a typed percentage in basis points, 0 when the field is empty. Raises Refusal bad_input."""
        return self.points(name) if self.fields.get(name) else 0

    def lines(self, name: str) -> list[str]:
        """Give the lines of a text that have something in them. Raises Refusal bad_input."""
        return [line.strip() for line in self.text(name).splitlines() if line.strip()]

    def require_sure(self) -> None:
        """Hold back what can never be undone until its box is ticked. Raises Refusal not_confirmed."""
        if not self.ticked("sure"):
            raise Refusal("not_confirmed", field="sure")

    def ticked(self, name: str) -> bool:
        """Tell whether a box is ticked."""
        return self.fields.get(name) == "on"


@dataclass(frozen=True, slots=True)
class Order(Fields):
    """One command from a page."""

    at: datetime
    key: UUID
    files: MultiValueDict[str, Any] = field(default_factory=MultiValueDict)
    request: HttpRequest = field(default_factory=HttpRequest, repr=False)

    @property
    def who(self) -> dict[str, Any]:
        """Give what every service wants to know."""
        return {"by": self.person, "at": self.at, "key": self.key}


def read(request: HttpRequest, person: Person) -> Order:
    """Read a person's POST. Raises Refusal bad_input when it carries no key."""
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        raise Refusal("bad_input", field="key") from None
    return Order(person, request.POST, timezone.now(), key, request.FILES, request)

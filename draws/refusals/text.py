"""What each refusal says, in the reader's language: why, and what to do now; also as a command's line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import translation
from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from bingo import catalogues
from bingo.money_and_dates import Whole, Writing, active_currency, number_range
from bingo.rules import jackpots, rulebooks
from bingo.rules.refusal import Refusal
from draws.authorisations import labels as authorisations_labels
from draws.cards import colours
from draws.cards import labels as cards_labels
from draws.equipment import labels as equipment_labels
from draws.trade_words import COMBINATIONS, PHASES, Text, source
from halls.checkpoints import queries as checkpoints_queries
from halls.models import Person, Role
from halls.policy import queries as policy_queries

_WORDS = catalogues.words_beside(__file__)

# Values of the refusal are named in braces.
REFUSALS: Mapping[str, Promise] = _WORDS["refusals"]
# What a refusal says where it knows more, by its code and the value that tells it.
FURTHER: Mapping[str, Mapping[str, Promise]] = _WORDS["further"]
# What a field should have held, by the kind that a `bad_input` names.
WANTED: Mapping[str, Promise] = _WORDS["wanted"]
# What an archive or a print failed of, where it is no refusal.
EXPORT_FAULTS: Mapping[str, Promise] = _WORDS["exports"]
PRINT_FAULTS: Mapping[str, Promise] = _WORDS["prints"]
# What fields are called where no page does by a label.
NAMED: Mapping[str, Promise] = _WORDS["fields"]


__all__ = ["PRINT_FAULTS", "REFUSALS"]


UNEXPECTED = _("The rules do not allow this ({code}).")


FIELDS: Mapping[str, Text] = {
    **NAMED,
    **authorisations_labels.DISTRIBUTION_FIELDS,
    **authorisations_labels.LIMIT_FIELDS,
    **{name: words.label for name, words in policy_queries.NUMBERS.items()},
}


def colour(code: object) -> Text:
    """Name a colour of cards."""
    known = colours.COLOURS.get(str(code))
    return known.name if known else str(code)


def print_fault(code: str) -> Text:
    """Say what a print failed of."""
    return PRINT_FAULTS.get(code) or REFUSALS.get(code) or code


def _hour(moment: Any) -> str:
    """Write when something was, its ISO text being in the hall's own time."""
    try:
        return datetime.fromisoformat(str(moment)).strftime("%H:%M:%S")
    except ValueError:
        return str(moment)


def _price(amount: Any) -> str:
    """Write minor units of the active currency, grouped and without its name."""
    of_reader = Writing(get_language() or "pt", active_currency())
    unit = 10**of_reader.places
    return of_reader.amount(amount) if amount % unit else of_reader.whole(amount // unit)


def _moment(moment: Any) -> str:
    """Write when something will be, its ISO text being in the hall's own time."""
    try:
        return date_format(datetime.fromisoformat(str(moment)), "SHORT_DATETIME_FORMAT")
    except ValueError:
        return str(moment)


def _numbers(told: Any) -> str:
    return equipment_labels.equipment_numbers(told) or "–"


def _percent(points: Any) -> str:
    """Write basis points as per cent."""
    return number_format(Decimal(points) / 100, 0 if points % 100 == 0 else 2)


def _day(value: Any) -> str:
    """Write a day, or its ISO text, as the reader's language does."""
    try:
        day = value if isinstance(value, date) else date.fromisoformat(str(value))
    except ValueError:
        return str(value)
    return date_format(day, "DATE_FORMAT")


def _roles(codes: Any) -> str:
    return ", ".join(str(Role(role).label) for role in codes)


def _bound(code: Any) -> Text:
    return cards_labels.BOUNDS.get(code, str(code))


def _fault(refused: Refusal) -> str:
    """Say the fault that a `series_faulty` names, with its own values."""
    code, values = str(refused.values["fault"]), refused.values.get("values")
    if code not in cards_labels.FAULTS or not isinstance(values, dict):
        return code
    return cards_labels.series_says(code, values)


def _of_file(refused: Refusal) -> str:
    """Say what is wrong with a file of a series, and where."""
    where = str(refused.values["where"])
    found, free = (str(refused.values.get(name, "")) for name in ("found", "free"))
    said = cards_labels.series_file_says(where, found, free=free)
    return f"{said} " + gettext("Place in the file: %(where)s.") % {"where": where}


def _field(name: Any) -> Text:
    """Name a field; those of a jackpot's further levels are called as the first's."""
    return FIELDS.get(re.sub(r"^jackpot_\d_", "jackpot_", str(name)), name)


def _count(value: Any) -> object:
    return Whole(value) if type(value) is int else value


COUNTS = (
    "capacity", "cards", "count", "drawn", "games", "had", "least", "left", "limit", "most", "named",
    "quantity", "seconds", "sessions", "size",
)  # fmt: skip


def _keeper(name: Any) -> Text:
    """Name who remembers what was signed last."""
    return checkpoints_queries.KEEPERS.get(name, str(name))


def _person(username: Any) -> str:
    """Name a person of a hall; whom nobody knows stays as the login they would have."""
    known = Person.objects.filter(username=username).values_list("name", flat=True)
    return known.first() or str(username)


# How a refusal's values are written, by their names.
WRITTEN: Mapping[str, Callable[[Any], object]] = {
    **dict.fromkeys(COUNTS, _count),
    "roles": _roles,
    "phase": lambda code: str(PHASES[code]).lower(),
    "field": _field,
    "colour": colour,
    "expected_colour": colour,
    "face": _price,
    "bound": _bound,
    "rulebook": rulebooks.title,
    "floor": _percent,
    "fund": _percent,
    "bingo": _percent,
    "rate": _percent,
    "at": _hour,
    "begins": _day,
    "ends": _day,
    "day": _day,
    "today": _day,
    "until": _day,
    "source": source,
    "expected": source,
    "seller": _person,
    "combination": lambda code: COMBINATIONS.get(code, code),
    "language": lambda code: dict(settings.LANGUAGES).get(code, code),
    "tills": ", ".join,
    "item": lambda told: equipment_labels.equipment_item(*told),
    "missing": _numbers,
    "moment": _moment,
    "foreign": _numbers,
    "note": equipment_labels.note_equipment,
    "symbol": lambda code: cards_labels.SYMBOL_NAMES.get(code, code),
    "symbols": lambda numbers: ", ".join(map(cards_labels.symbol_name, numbers)),
}
# Values whose names mean something else in other refusals.
OF_REFUSAL: Mapping[str, Mapping[str, Callable[[Any], object]]] = {
    "second_person_needed": {"amount": _price, "limit": _price},
    "bad_policy_amount": {"least": _price, "most": _price},
    "bad_face": {"most": _price, "faces": lambda faces: ", ".join(map(_price, faces))},
    "cash_step_over_prize": {
        "step": _price,
        "amount": _price,
        "prize": lambda code: COMBINATIONS.get(code, code),
    },
    "level_holds_money": {"amount": _price},
    "other_rulebook": {"expected": rulebooks.title},
    **{code: {"place": _keeper} for code in checkpoints_queries.MEMORY},
    "link_terms_differ": {"base": _price},
    "link_limits_differ": {
        "base": _price,
        "limits": lambda told: authorisations_labels.within(jackpots.read_limits(told)),
    },
}
RULES = re.compile(r"\s*\(R\d[^()]*\)")
IN_POINTS = frozenset(["fund_differs", "jackpot_rate_differs"])


def refusal(refused: Refusal, *, label: str = "") -> str:
    """Say why something was refused and what to do now, in the active language.

    `label` is what the form that was refused calls the field of the refusal.
    """
    if refused.code == "bad_series_file":
        return _of_file(refused)
    known, further = REFUSALS.get(refused.code), FURTHER.get(refused.code, {})
    for name in refused.values:
        known = further.get(name, known)
    if refused.code == "bad_input":
        known = WANTED.get(str(refused.values.get("wanted")), known)
    if known is None:
        return str(UNEXPECTED).format(code=refused.code)
    values = _values(refused)
    if label:
        values["field"] = label
    return _under_law(str(known)).format(**values)


def _values(refused: Refusal) -> dict[str, object]:
    """Write a refusal's values for people, by their names."""
    written = {**WRITTEN, **OF_REFUSAL.get(refused.code, {})}
    values = {
        name: written[name](value) if name in written else value
        for name, value in refused.values.items()
    }
    if refused.code in IN_POINTS:
        values["expected"] = _percent(refused.values["expected"])
    first, last = refused.values.get("first"), refused.values.get("last")
    if isinstance(first, int) and isinstance(last, int):
        values["range"] = number_range(first, last)
    if "fault" in values:
        values["fault"] = _fault(refused)
    return values


def _under_law(said: str) -> str:
    """Leave out which rules are named, "(R53)", where the law of the hall has none of these numbers."""
    rulebook = rulebooks.active.get()
    numbered = not rulebook or rulebooks.get(rulebook).acta_rule
    return said if numbered else RULES.sub("", said)


def notice(refused: Refusal, *, title: Text | None = None) -> dict[str, Any]:
    """Return what a page says of a refused order; `title` where it has a better one than "Not done"."""
    return {
        "kind": "error",
        "title": title or gettext("Not done"),
        "text": refusal(refused),
        "code": refused.code,
    }


def in_english(refused: Refusal) -> str:
    """Return what a refusal says, in one line whatever the file is called that it names."""
    with translation.override("en"):
        return " ".join(refusal(refused).splitlines())


@contextmanager
def plain_refusals() -> Iterator[None]:
    """Make a refusal one plain line with its code, and exit code 1."""
    try:
        yield
    except Refusal as refused:
        raise CommandError(f"refused: {refused.code}: {in_english(refused)}") from refused

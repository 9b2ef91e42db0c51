"""What is asked of a new hall before it is opened."""

from typing import Any

import pytest

from bingo.rules import setup
from bingo.rules.refusal import Refusal

KNOWN = setup.Known(
    languages=("pt", "es"),
    currencies={"CVE", "EUR"},
    time_zones={"Atlantic/Cape_Verde"},
    taken=("outra",),
    reserved="demo-.*|treino",
)
GOOD: dict[str, Any] = {
    "code": "sala-mindelo",
    "name": "Sala Mindelo",
    "licence": "12/2026",
    "language": "pt",
    "currency": "CVE",
    "time_zone": "Atlantic/Cape_Verde",
    "rulebook": "cape-verde-2017",
    "tills": ["Caixa 1"],
    "manager": "maria.lima",
    "manager_name": "Maria Lima",
    "known": KNOWN,
}


def test_hall_is_told_whole_with_its_first_manager() -> None:
    told = setup.open_hall(**GOOD)
    assert {name: told[name] for name in ("name", "licence", "currency", "rulebook", "tills")} == {
        name: GOOD[name] for name in ("name", "licence", "currency", "rulebook", "tills")
    }
    assert told["manager"] == {
        "username": "maria.lima",
        "name": "Maria Lima",
        "roles": ["hall_manager"],
        "language": "pt",
    }


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"code": ""}, "bad_hall_code"),
        ({"code": "Sala"}, "bad_hall_code"),
        ({"code": "../etc"}, "bad_hall_code"),
        ({"code": "sala\n"}, "bad_hall_code"),
        ({"code": "-sala"}, "bad_hall_code"),
        ({"code": "a" * 51}, "bad_hall_code"),
        ({"code": "demo-sala"}, "bad_hall_code"),
        ({"code": "treino"}, "bad_hall_code"),
        ({"code": "outra"}, "hall_code_taken"),
        ({"name": ""}, "bad_hall_name"),
        ({"name": "Sala\u202eoledniM"}, "bad_hall_name"),
        ({"name": "a" * 201}, "bad_hall_name"),
        ({"licence": " "}, "bad_licence"),
        ({"licence": "\x00"}, "bad_licence"),
        ({"language": "fr"}, "unknown_language"),
        ({"currency": "cve"}, "unknown_currency"),
        ({"currency": "XYZ"}, "unknown_currency"),
        ({"time_zone": "../../etc/passwd"}, "unknown_time_zone"),
        ({"rulebook": "spain-2079"}, "unknown_rulebook"),
        ({"tills": []}, "bad_tills"),
        ({"tills": ["A", "A"]}, "bad_tills"),
        ({"tills": [str(n) for n in range(21)]}, "bad_tills"),
        ({"manager": "Maria"}, "bad_username"),
        ({"manager": "m"}, "bad_username"),
        ({"manager_name": "Maria\nLima"}, "bad_person_name"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        setup.open_hall(**GOOD | changed)
    assert refused.value.code == code


def test_code_is_reserved_only_where_something_is() -> None:
    free = setup.Known(KNOWN.languages, KNOWN.currencies, KNOWN.time_zones)
    assert setup.open_hall(**GOOD | {"code": "demo-sala", "known": free})


@pytest.mark.parametrize(
    ("currency", "rulebook", "usual"),
    [
        ("CVE", "cape-verde-2017", None),
        ("EUR", "cape-verde-2017", "CVE"),
        ("EUR", "spain-1979", None),
        ("CVE", "spain-1979", "EUR"),
    ],
)
def test_unusual_currency_is_told_not_refused(
    currency: str, rulebook: str, usual: str | None
) -> None:
    assert setup.unusual_currency(currency=currency, rulebook=rulebook) == usual

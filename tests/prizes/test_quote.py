"""The command that says what a game would pay."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

SALE = ("quote", "--cards=420", "--face=2.00")


def said(*arguments: str) -> str:
    out = StringIO()
    call_command(*SALE, *arguments, stdout=out)
    return out.getvalue()


def value(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(*arguments, "--json"))
    return found


@pytest.mark.rule(10)
def test_worked_example_with_a_jackpot() -> None:
    assert value("--jackpot=3", "--winners=line=2,bingo=1") == {
        "rulebook": "cape-verde-2017", "currency": "CVE", "cards": 420, "face": "2.00",
        "gross": "840.00", "fund": "672.00",
        "line": "162.96", "bingo": "488.88", "jackpot": "20.16",
        "winners": {"line": ["81.48", "81.48"], "bingo": ["488.88"]},
        "tax": {"line": ["0.00", "0.00"], "bingo": ["0.00"]},
        "handed_over": {"line": ["81.48", "81.48"], "bingo": ["488.88"]}, "carried": "0.00",
    }  # fmt: skip


def test_person_reads_it_in_lines() -> None:
    assert said("--jackpot=3", "--winners=bingo=2", "--cash-step=0.05").splitlines() == [
        "420 cards at 2.00: 840.00",
        "prizes 672.00: line 162.96, bingo 488.88, jackpot 20.16",
        "line, winners 1: 162.95",
        "bingo, winners 2: 244.40, 244.40",
        "carried on: 0.09",
    ]


@pytest.mark.rule(6)
@pytest.mark.rule(61)
def test_prize_is_taxed_whole_and_handed_over_in_coins() -> None:
    asked = ("--cards=18", "--face=250", "--cash-step=50", "--tax=20", "--winners=line=1,bingo=2")
    assert said(*asked).splitlines() == [
        "18 cards at 250.00: 4,500.00",
        "prizes 3,600.00: line 900.00, bingo 2,700.00, jackpot 0.00",
        "line, winners 1: 900.00",
        "line, tax withheld: 180.00",
        "line, handed over: 700.00",
        "bingo, winners 2: 1,350.00, 1,350.00",
        "bingo, tax withheld: 270.00, 270.00",
        "bingo, handed over: 1,050.00, 1,050.00",
        "carried on: 80.00",
    ]
    assert value(*asked, "--tax-above=400")["tax"] == {
        "line": ["100.00"],
        "bingo": ["190.00", "190.00"],
    }
    lines = said("--cards=5", "--face=250", "--cash-step=50", "--winners=line=3").splitlines()
    assert (lines[2], lines[-1]) == ("line, winners 3: 50.00, 50.00, 50.00", "carried on: 100.00")


@pytest.mark.rule(6)
@pytest.mark.rule(8)
def test_currency_without_cents_is_divided_in_whole_units() -> None:
    asked = ("--cards=7", "--face=500", "--currency=CLP", "--jackpot=3", "--winners=line=2,bingo=2")
    assert said(*asked).splitlines() == [
        "7 cards at 500: 3,500",
        "prizes 2,800: line 679, bingo 2,037, jackpot 84",
        "line, winners 2: 340, 339",
        "bingo, winners 2: 1,019, 1,018",
    ]
    assert value(*asked)["winners"] == {"line": ["340", "339"], "bingo": ["1019", "1018"]}
    with pytest.raises(CommandError, match="--face"):
        said("--face=500.50", "--currency=CLP")
    with pytest.raises(CommandError, match="the prize Line, less than the smallest coin of 200"):
        said("--face=500", "--cash-step=200", "--currency=CLP")


def test_another_rule_book_allows_another_split() -> None:
    assert value("--face=200", "--split=15/60", "--rulebook=spain-1979")["bingo"] == "50400.00"


@pytest.mark.rule(7)
def test_distribution_that_the_law_forbids_is_refused_with_its_reason() -> None:
    with pytest.raises(CommandError) as refused:
        said("--split=25/55", "--jackpot=3")
    assert refused.value.returncode == 1
    assert "53.35" in str(refused.value)
    assert "Portaria" in str(refused.value)
    assert value("--split=25/55", "--jackpot=3", "--source=line")["bingo"] == "462.00"


@pytest.mark.parametrize(
    "wrong",
    [
        "--face=2.001", "--face=two", "--face=-1", "--face=nan", "--split=20", "--split=20/60/1",
        "--winners=line", "--winners=line=x", "--winners=line=1,line=2", "--jackpot=1e99",
        "--rulebook=mars", "--source=house", "--cards=many",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(wrong: str) -> None:
    with pytest.raises(CommandError) as refused:
        said(wrong)
    assert wrong.split("=", maxsplit=1)[0] in str(refused.value)


@pytest.mark.parametrize(
    "wrong", ["--cards=0", "--face=0", "--cash-step=0", "--winners=line=0", "--tax=101"]
)
def test_what_cannot_be_is_refused_with_words(wrong: str) -> None:
    with pytest.raises(CommandError) as refused:
        said(wrong)
    assert refused.value.returncode == 1
    assert len(str(refused.value).split()) > 4

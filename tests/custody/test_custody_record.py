"""The record of cards destroyed lists every card on numbered pages and ends with lines to sign."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest

from draws.custody.documents import CustodyRecord, RecordedCard, custody_record
from tests.support.custody_record import GAME, cards, destroyed


def handed_over() -> CustodyRecord:
    """One winning card and a used one, handed to the regulator."""
    used = RecordedCard(GAME, 412, 1, "A 1/2026", 9, None, None)
    return replace(
        destroyed(1), witness="", to="Inspeção-Geral de Jogos", case=3, reference="12/2026",
        acta="ab" * 32, acta_session=412, cards=(*cards(1), used),
    )  # fmt: skip


def sheets(values: CustodyRecord) -> list[str]:
    """Return the text of each page as Poppler reads it, one space between words."""
    command = ["pdftotext", "-layout", "-", "-"]
    done = subprocess.run(command, input=custody_record(values), capture_output=True, check=True)
    pages = done.stdout.decode().replace("\N{NO-BREAK SPACE}", " ").split("\f")
    return [" ".join(page.split()) for page in pages if page.strip()]


@pytest.mark.rule(52)
@pytest.mark.parametrize(
    "said",
    [
        "Record of cards destroyed",
        "kept for 8 days after the day they were paid (R52)",
        "21 November 2026, 18:30:00",
        "Chefe de sala",
        "1 11 November 2026 412 1 A 1/2026 701 12 November 2026 1,500.01",
        "3 11 November 2026 412 3 A 1/2026 703 12 November 2026 1,500.03",
        "Total 4,500.06",
        "entry 9431 of the hall's journal",
        "Second person · Chefe de mesa",
        "Page 1 of 1",
    ],
)
def test_record_says_which_cards_were_destroyed_by_whom(said: str) -> None:
    assert said in " ".join(sheets(destroyed()))


@pytest.mark.slow
@pytest.mark.rule(52)
def test_long_record_lists_every_card_once_and_is_signed_beside_the_last() -> None:
    pages = sheets(destroyed(130))
    text = " ".join(pages)
    assert [text.count(f" A 1/2026 {700 + n} ") for n in range(1, 131)] == [1] * 130
    assert all(f"Page {n} of {len(pages)}" in page for n, page in enumerate(pages, start=1))
    assert len(pages) > 1
    assert "Signatures" in pages[-1]


@pytest.mark.rule(51)
@pytest.mark.parametrize(
    "said",
    [
        "Record of evidence handed over",
        "with the acta of session 412. (R51)",
        "3 · 12/2026",
        "2 11 November 2026 412 1 A 1/2026 9 used card –",
        "Received by · Inspeção-Geral de Jogos",
        "of the acta of session 412",
    ],
)
def test_evidence_is_received_with_a_signature(said: str) -> None:
    assert said in " ".join(sheets(handed_over()))


def test_record_names_no_rule_that_the_hall_s_law_has_not() -> None:
    assert "R51" not in " ".join(sheets(replace(handed_over(), days=None, evidence_rule="")))


def test_same_values_give_the_same_bytes() -> None:
    assert custody_record(destroyed()) == custody_record(destroyed())
    assert custody_record(destroyed()) != custody_record(replace(destroyed(), entry=1))

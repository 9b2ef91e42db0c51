"""The player's slip of a complaint, as a page and on till paper (R61 j)."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bingo.slips.page import draw_page
from bingo.slips.printer import COLUMNS, to_commands
from draws.complaints.slip import ComplaintSlip, complaint_slip
from tests.support.complaint_slip import OPEN
from tests.support.escpos import printed

pytestmark = pytest.mark.rule(61)

DECIDED = replace(OPEN, decision="rejected", reason="R47", decided_by="Rui Gerente")


def lines(values: ComplaintSlip) -> str:
    return " ".join(line.text.strip() for line in printed(to_commands(complaint_slip(values))))


def test_slip_says_what_was_said_who_took_it_and_where_to_go() -> None:
    told = lines(OPEN)
    for part in (
        "Sala Azul", "Complaint of a player", "12/2", "Session 12, game 3", "Ball no. 14: 77",
        "Card A 431 · 17", "The picture of the ball is kept.", "A linha não foi ouvida",
        "Taken down by Ana Chefe", "Open: not decided yet.", "by this number",
        "may turn to the gaming authority",
    ):  # fmt: skip
        assert part in told, part


@pytest.mark.rule(80)
@pytest.mark.parametrize(("language", "called"), [("en", "Snake (16)"), ("pt", "Cobra (16)")])
def test_slip_names_a_ball_of_a_game_of_symbols_by_its_symbol(language: str, called: str) -> None:
    assert f": {called}" in lines(replace(OPEN, number=16, of_symbols=True, language=language))


def test_slip_of_a_decided_complaint_names_decision_and_author() -> None:
    told = lines(DECIDED)
    assert "Rejected: R47 (decided by Rui Gerente)" in told
    assert "not decided" not in told


def test_slip_about_nothing_but_the_session_is_short() -> None:
    bare = replace(OPEN, game=None, ball=None, number=None, card="", picture="")
    told = lines(bare)
    assert "Session 12 " in told
    assert "game" not in told.split("Session 12")[1][:6]
    assert not re.search(r"Ball no|Card ", told)
    assert draw_page(complaint_slip(bare)).startswith(b"%PDF-")


@pytest.mark.parametrize("language", ["pt", "es", "gl", "en"])
def test_slip_is_the_same_bytes_at_every_call_in_each_language(language: str) -> None:
    values = replace(OPEN, language=language)
    assert draw_page(complaint_slip(values)) == draw_page(complaint_slip(values))
    assert to_commands(complaint_slip(values)) == to_commands(complaint_slip(values))
    assert draw_page(complaint_slip(values)) != draw_page(
        complaint_slip(replace(values, complaint=3))
    )


def test_hostile_text_carries_no_command_and_fits_the_paper() -> None:
    written = to_commands(
        complaint_slip(replace(OPEN, text="\x1bp\x00<b>\N{PILE OF POO}" + "x" * 490))
    )
    assert b"\x1bp\x00" not in written
    assert max(len(line.text) * line.size for line in printed(written)) <= COLUMNS
    assert draw_page(complaint_slip(replace(OPEN, text="<b>&" + "x" * 490))).startswith(b"%PDF-")

"""A slip is described once: page and printer say the same, in the same order."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bingo.slips.page import draw_page
from bingo.slips.printer import PLAIN, RULE, to_commands
from bingo.slips.slip import Amounts, Code, Line, LineStyle, TillPaper, TillSlip
from draws.complaints.slip import complaint_slip
from draws.receipts.documents import checkpoint_slip, payment_slip, sale_slip
from tests.support import acta_checkpoint, payment, printed_cards, receipts
from tests.support import complaint_slip as complaints
from tests.support.escpos import printed
from tests.support.printed_codes import coded

PAPER = TillPaper(
    hall="Sala de Bingo", licence="1/2026", language="en", currency="EUR",
    at=datetime(2026, 11, 20, 21, 14, 3, tzinfo=UTC),
)  # fmt: skip

SLIPS = {
    "sale": sale_slip(receipts.of_two_issues()),
    "payment": payment_slip(payment.payment(left_over=3, net=3_429_97)),
    "complaint": complaint_slip(complaints.OPEN),
    "checkpoint": checkpoint_slip(acta_checkpoint.values()),
    "checkpoint of no session": checkpoint_slip(replace(acta_checkpoint.values(), session=None)),
}


def page_words(slip: TillSlip) -> list[str]:
    command = ["pdftotext", "-layout", "-", "-"]
    done = subprocess.run(command, input=draw_page(slip), capture_output=True, check=True)
    return done.stdout.decode().translate(PLAIN).split()


def printer_words(slip: TillSlip) -> list[str]:
    sent = to_commands(slip)
    if any(isinstance(part, Code) for section in slip.sections for part in section):
        _note, sent = coded(sent)
    lines = [line.text for line in printed(sent) if line.text != RULE]
    return " ".join(lines).split()


@pytest.mark.parametrize("name", SLIPS)
def test_page_and_printer_say_the_same_in_the_same_order(name: str) -> None:
    assert page_words(SLIPS[name]) == printer_words(SLIPS[name])


def test_every_section_stands_below_a_line_across() -> None:
    slip = PAPER.slip("Two", (Line("one"),), (Line("two"),))
    lines = [line.text for line in printed(to_commands(slip))]
    assert lines == ["Sala de Bingo", "1/2026", RULE, "one", RULE, "two"]


def test_number_and_sum_are_twice_as_big_and_what_should_be_known_is_bold() -> None:
    rows = (("Line", "9.00"), ("Paid", "9.00"))
    styles = tuple(Line(style.name, style) for style in LineStyle)
    lines = printed(to_commands(PAPER.slip("All", (*styles, Amounts(rows, total=1)))))[3:]
    assert [line.text.split()[0] for line in lines if line.size == 2] == ["NUMBER", "Paid"]
    bold = [line.text.split()[0] for line in lines if line.bold]
    assert bold == ["TITLE", "NUMBER", "NOTICE", "Paid"]


@pytest.mark.parametrize("total", [None, 0])
def test_name_that_leaves_no_room_for_its_amount_is_broken_into_lines(
    total: int | None, tmp_path: Path
) -> None:
    row = ("Segundo prémio acumulado, jogada 11", "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567$00")
    slip = PAPER.slip("Long", (Amounts((row,), total=total),))
    assert page_words(slip) == printer_words(slip)
    place = {word.text: word for word in printed_cards.words(draw_page(slip), tmp_path)}
    assert place["11"].bottom == place["1"].bottom
    assert place["11"].right < place["1"].left


def test_code_is_read_from_the_page_as_the_printer_is_sent_it() -> None:
    slip = SLIPS["checkpoint"]
    note, _text = coded(to_commands(slip))
    assert note == acta_checkpoint.NOTE
    assert printed_cards.codes(printed_cards.picture(draw_page(slip))) == [note]

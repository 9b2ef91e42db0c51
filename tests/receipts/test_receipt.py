"""A receipt says what was bought, on a page and on till paper, and can be read in both."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bingo.slips.page import draw_page
from bingo.slips.printer import COLUMNS, to_commands
from draws.receipts.documents import Receipt, ReceiptLine, sale_slip
from tests.support import printed_cards
from tests.support.escpos import printed
from tests.support.receipts import of_two_issues, purchase

ENGLISH = {"language": "en", "currency": "EUR"}
Read = Callable[[Receipt], str]


def page(values: Receipt) -> str:
    """Return the page's text as Poppler reads it, one space between words."""
    command = ["pdftotext", "-layout", "-", "-"]
    done = subprocess.run(
        command, input=draw_page(sale_slip(values)), capture_output=True, check=True
    )
    return " ".join(done.stdout.decode().replace("\N{NO-BREAK SPACE}", " ").split())


def paper(values: Receipt) -> str:
    """Return the slip's text, one space between words."""
    return " ".join(" ".join(line.text for line in printed(to_commands(sale_slip(values)))).split())


def size(values: Receipt) -> tuple[int, float, float]:
    """Return pages, width and height in points."""
    done = subprocess.run(
        ["pdfinfo", "-"], input=draw_page(sale_slip(values)), capture_output=True, check=True
    )
    told = done.stdout.decode()
    pages = re.search(r"Pages:\s+(\d+)", told)
    box = re.search(r"Page size:\s+([\d.]+) x ([\d.]+)", told)
    assert pages
    assert box
    return int(pages[1]), float(box[1]), float(box[2])


@pytest.mark.rule(39)
@pytest.mark.parametrize("read", [page, paper])
@pytest.mark.parametrize(
    "said",
    [
        "Sala de Bingo",
        "Autorização n.º 1/2026",
        "Session 412, game 7",
        "21:14:03",
        "Caixa 1 · Operador de caixa",
        "Issue H 000431",
        "6 cards at 200.00 1,200.00",
        "Total €1,200.00",
        "Cash given €2,000.00",
        "Change given €800.00",
        "Journal entry 843 · 9f3a 12cd 9f3a",
    ],
)
def test_receipt_says_what_was_bought_for_how_much(read: Read, said: str) -> None:
    assert said in read(purchase(**ENGLISH))


@pytest.mark.rule(41)
@pytest.mark.parametrize("read", [page, paper])
def test_receipt_says_that_a_purchase_cannot_be_undone(read: Read) -> None:
    assert "A purchase of cards cannot be undone." in read(purchase(**ENGLISH))


@pytest.mark.rule(15)
@pytest.mark.parametrize("read", [page, paper])
def test_receipt_says_of_double_cards_only_that_they_serve_twice(read: Read) -> None:
    said = "Each card is good for this game and the next one."
    assert said in read(purchase(double=True, **ENGLISH))
    assert said not in read(purchase(**ENGLISH))


@pytest.mark.rule(38)
def test_receipt_of_two_issues_shows_both_ranges() -> None:
    values = of_two_issues(**ENGLISH)
    assert re.search(r"A 0431 419 – 420 2 cards at .*A 0432 1 1 card at", page(values))
    assert re.search(r"A 0431 419 - 420 2 cards at .*A 0432 1 1 card at", paper(values))


@pytest.mark.parametrize("read", [page, paper])
def test_receipt_without_cash_typed_tells_no_change(read: Read) -> None:
    told = read(purchase(given=None, change=None, **ENGLISH))
    assert "Total" in told
    assert "Cash given" not in told
    assert "Change" not in told


@pytest.mark.parametrize("read", [page, paper])
def test_receipt_of_exact_cash_tells_a_change_of_nothing(read: Read) -> None:
    told = read(purchase(given=1200_00, change=0, **ENGLISH))
    assert "Change given €0.00" in told


def test_receipt_is_in_the_language_of_the_hall() -> None:
    assert "Sessão 412, jogada 7" in page(purchase())
    assert "Sesión 412, partida 7" in page(of_two_issues())
    assert "Sesión 412, partida 7" in paper(of_two_issues())


@pytest.mark.parametrize(
    "values", [purchase(), of_two_issues(), of_two_issues(double=True, hall="Sala " * 30)]
)
def test_page_is_one_of_till_paper_and_as_long_as_it_needs(values: Receipt) -> None:
    pages, width, height = size(values)
    assert pages == 1
    assert width == pytest.approx(80 / 25.4 * 72, abs=0.01)
    ink = printed_cards.picture(draw_page(sale_slip(values)), dpi=72).point(
        lambda grey: 255 * (grey < 128)
    )
    box = ink.getbbox()
    assert box
    left, top, right, bottom = box
    assert min(left, top) > 8
    assert right < width - 8
    assert 12 < height - bottom < 28


def test_longer_receipt_is_a_longer_page() -> None:
    assert size(of_two_issues())[2] > size(purchase())[2] + 40


def test_page_shows_the_numbers_of_cards_biggest(tmp_path: Path) -> None:
    read = printed_cards.words(draw_page(sale_slip(purchase())), tmp_path)
    heights = {word.text: word.bottom - word.top for word in read}
    others = [height for text, height in heights.items() if text not in {"17", "–", "22"}]
    assert heights["17"] == heights["22"] > 1.5 * max(others)


def test_page_is_the_same_bytes_for_the_same_values_only() -> None:
    values = purchase()
    assert draw_page(sale_slip(values)) == draw_page(sale_slip(values))
    assert draw_page(sale_slip(values)) != draw_page(sale_slip(replace(values, entry=844)))


@pytest.mark.slow
def test_page_and_slip_are_the_same_bytes_in_another_process() -> None:
    program = (
        "import django, sys; django.setup();"
        "from bingo.slips.page import draw_page;"
        "from bingo.slips.printer import to_commands;"
        "from draws.receipts.documents import sale_slip;"
        "from tests.support.receipts import of_two_issues;"
        "slip = sale_slip(of_two_issues());"
        "sys.stdout.buffer.write(draw_page(slip) + to_commands(slip))"
    )
    settings = {"DJANGO_SETTINGS_MODULE": "bingo.settings", "PYTHONHASHSEED": "7"}
    other = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env=os.environ | settings
    )
    assert other.stdout == draw_page(sale_slip(of_two_issues())) + to_commands(
        sale_slip(of_two_issues())
    )


def test_page_embeds_the_typeface_it_is_set_in(tmp_path: Path) -> None:
    file = tmp_path / "receipt.pdf"
    file.write_bytes(draw_page(sale_slip(purchase())))
    done = subprocess.run(["pdffonts", str(file)], capture_output=True, text=True, check=True)
    listed = done.stdout.splitlines()[2:]
    assert listed
    assert all("SourceSansPro" in line and " yes yes " in line for line in listed)


def test_page_prints_signs_of_a_markup_as_they_are() -> None:
    assert "Bingo <b>&amp; Lda" in page(purchase(hall="Bingo <b>&amp; Lda"))


def test_slip_has_iberian_letters_and_the_euro_on_the_printers_page() -> None:
    sent = to_commands(
        sale_slip(of_two_issues(hall="ÁÀÂÃÇÉÊÍÓÔÕÚÜÑ", licence="áàâãçéêíóôõúüñ ¿¡ ºª · €"))
    )
    told = [line.text for line in printed(sent)]
    assert told[0] == "ÁÀÂÃÇÉÊÍÓÔÕÚÜÑ"
    assert told[1] == "áàâãçéêíóôõúüñ ¿¡ ºª · €"
    assert "€".encode("cp858") == b"\xd5"
    assert b"6,00 \xd5" in sent
    assert sent.count(b"\x1bt") == 1


def test_slip_shows_the_numbers_of_cards_and_the_total_twice_as_big() -> None:
    big = [
        line.text.split() for line in printed(to_commands(sale_slip(purchase()))) if line.size == 2
    ]
    assert big == [["Sala", "de", "Bingo"], ["17", "-", "22"], ["Total", "1", "200,00", "CVE"]]


def test_slip_keeps_within_the_columns_of_the_paper() -> None:
    wide = purchase(
        hall="Sociedade de Bingo " * 4,
        till="Caixa " * 9,
        total=999_999_999_99,
        given=10**13,
        change=1,
        lines=(ReceiptLine("LLLLL " + "9" * 20, 100_000, 999_999, 900_000, 10**8, 9 * 10**13),),
    )
    for line in printed(to_commands(sale_slip(wide))):
        assert len(line.text) * line.size <= COLUMNS
        assert line.text.strip()


def test_slip_sends_no_command_that_a_name_carries() -> None:
    opens_the_drawer = "\x1bp\x00\x19\xfa"
    lines = printed(to_commands(sale_slip(purchase(hall=f"Sala{opens_the_drawer}\n\x1d\x7fBingo"))))
    assert "\x1b" not in "".join(line.text for line in lines)
    assert lines[0].text.startswith("Sala")


def test_slip_writes_a_strange_letter_plainly_and_an_unknown_sign_as_a_question() -> None:
    first = printed(to_commands(sale_slip(purchase(hall="Łódź Şirin “Ő” … 游"))))[0].text
    assert first == '?ódz Sirin "O" ... ?'


@pytest.mark.slow
def test_printer_leaves_no_folder_behind(tmp_path: Path) -> None:
    program = (
        "import django; django.setup();"
        "from bingo.slips.printer import to_commands;"
        "from draws.receipts.documents import sale_slip;"
        "from tests.support.receipts import purchase;"
        "to_commands(sale_slip(purchase())); to_commands(sale_slip(purchase()))"
    )
    settings = {"DJANGO_SETTINGS_MODULE": "bingo.settings", "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ | settings)
    assert list(tmp_path.iterdir()) == []

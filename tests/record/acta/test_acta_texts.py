"""The acta says all the law asks for, whole and readable, and carries its own data."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pypdf
import pytest
from django.utils import translation

from bingo.money_and_dates import Writing
from bingo.pdf import keys, kit, pdfa, seal
from draws.record.acta import document, labels
from draws.record.acta import values as acta_values
from draws.record.acta.draw_section import HEIGHT, Balls
from draws.record.acta.session_values import ClockValues, TermsValues
from tests.support import acta_values as support_acta_values
from tests.support import whole_evening
from tests.support.acta_texts import pages, text


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture(scope="module")
def printed() -> str:
    with translation.override("en"):
        return text(document.draw(support_acta_values.acta()))


@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("letter", "said"),
    [
        ("a", "20 de novembro de 2026, 20:00:00"),
        ("b", "000431"),
        ("c", "Card price"),
        ("d", "1 680"),
        ("e", "840,00"),
        ("f", "488,88"),
        ("g", "48,88"),
        ("h", "Ended"),
        ("i", support_acta_values.VOID),
        ("j", support_acta_values.COMPLAINT),
        ("k", "Replacement of ball sets"),
        ("l", "Câmara sem imagem"),
        ("m", "Occurrences that may be an administrative offence or a crime"),
    ],
)
def test_acta_answers_every_letter_of_the_law(printed: str, letter: str, said: str) -> None:
    assert f"R61 {letter}" in printed
    assert said in printed


@pytest.mark.slow
def test_acta_of_another_rulebook_names_no_letters() -> None:
    assert "R61" not in text(document.draw(support_acta_values.acta(article="")))


@pytest.mark.slow
@pytest.mark.rule(61)
def test_acta_says_nothing_to_record_where_nothing_happened() -> None:
    quiet = replace(support_acta_values.acta(1), notes=())
    assert text(document.draw(quiet)).count("Nothing to record.") == 6
    assert text(document.draw(support_acta_values.acta(2))).count("Nothing to record.") == 3


@pytest.mark.rule(59)
def test_acta_has_a_section_for_every_game_in_order(printed: str) -> None:
    places = [printed.index(f"Game {number} Bingo 90") for number in range(1, 5)]
    assert places == sorted(places)


def test_acta_lists_the_balls_in_the_order_of_extraction(printed: str) -> None:
    balls = support_acta_values.game(1).balls
    drawn = [str(ball.number) for ball in balls]
    hours = [f"{ball.at:%H:%M:%S}" for ball in balls]
    for begun in (0, 20, 40):
        row = slice(begun, begun + 20)
        assert " ".join([str(begun + 1), *drawn[row], *hours[row]]) in printed
    assert "in a square, entered by hand: 6" in printed


def test_acta_totals_are_the_sums_of_its_games(printed: str) -> None:
    assert "Total 1 680 3 360,00 488,88 1 466,64 60,48 0,00 146,64 840,00" in printed


@pytest.mark.rule(61)
def test_acta_names_a_tax_on_sales_and_not_one_on_prizes(printed: str) -> None:
    told = support_acta_values.acta(1)
    [game] = told.games
    terms = TermsValues("1/2026", 2000, 6000, 500, 0, 0, tax_on_sales=True)
    levied = replace(told, games=(replace(game, tax_withheld=0, sales_tax=42_00),), terms=terms)
    said = text(document.draw(levied))
    assert "Tax on sales" in said
    assert "42,00" in said
    assert "Tax on prizes" not in said
    assert "Tax on sales" not in printed


def test_acta_names_a_prize_set_aside(printed: str) -> None:
    assert "Set aside" in printed


def test_acta_shows_what_a_till_is_short(printed: str) -> None:
    assert "342,48 −2,00" in printed


@pytest.mark.slow
def test_acta_carries_the_journal_head_for_people_and_programs() -> None:
    values = support_acta_values.acta()
    pdf = document.draw(values)
    assert support_acta_values.HEAD in "".join(text(pdf).split())
    found = pdfa.attachment(pdf)
    assert found == acta_values.data(values)
    assert (found["journal_last"], found["journal_head"]) == (843, support_acta_values.HEAD)
    assert found["games"][0]["balls"][0]["at"].endswith("-01:00")


@pytest.mark.slow
def test_acta_is_the_same_bytes_for_the_same_values_only() -> None:
    values = support_acta_values.acta()
    assert document.draw(values) == document.draw(values)
    assert document.draw(values) != document.draw(replace(values, session=413))


@pytest.mark.slow
def test_acta_is_the_same_bytes_in_another_process() -> None:
    program = (
        "import django, hashlib; django.setup();"
        "from django.utils import translation; translation.activate('en');"
        "from draws.record.acta import document as acta; from tests.support import acta_values as evening;"
        "print(hashlib.sha256(acta.draw(evening.acta())).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "bingo.settings", "PYTHONHASHSEED": "7"},
    )
    assert (
        other.stdout.strip()
        == hashlib.sha256(document.draw(support_acta_values.acta())).hexdigest()
    )


@pytest.mark.slow
def test_acta_sealed_is_still_the_same_acta(tmp_path: Path) -> None:
    now = datetime(2026, 11, 21, 4, tzinfo=UTC)
    key = keys.ensure(tmp_path / "seal", hall="Sala de Bingo", now=now)
    pdf = document.draw(support_acta_values.acta())
    sealed = seal.sign_pdf(pdf, key=key, at=now, field_name="Acta", reason="R58", location="Sala")
    assert seal.verify_pdf(sealed, trust=key.trust).sealed
    assert text(sealed) == text(pdf)
    assert pdfa.attachment(sealed) == acta_values.data(support_acta_values.acta())


@pytest.mark.slow
def test_acta_of_sixty_games_has_each_of_them() -> None:
    """How fast it is drawn `make bench` measures."""
    pdf = document.draw(whole_evening.acta(60))
    assert len(pypdf.PdfReader(BytesIO(pdf)).pages) > 12
    assert [game["number"] for game in pdfa.attachment(pdf)["games"]] == [*range(1, 61)]


@pytest.mark.slow
def test_acta_numbers_its_pages() -> None:
    sheets = pages(document.draw(support_acta_values.acta(6)))
    for number, sheet in enumerate(sheets, start=1):
        assert f"Page {number} of {len(sheets)}" in sheet


@pytest.mark.slow
def test_acta_repeats_the_head_of_a_table_that_breaks() -> None:
    last = pypdf.PdfReader(BytesIO(document.draw(support_acta_values.acta(60)))).pages[-4:]
    assert sum("Bingo paid" in page.extract_text() for page in last) == 2


@pytest.mark.slow
def test_acta_never_leaves_a_page_without_matter() -> None:
    for games in (0, 1, 2, 3, 5, 7):
        for sheet in pages(document.draw(support_acta_values.acta(games))):
            assert len(sheet) > 250, (games, sheet)


@pytest.mark.slow
def test_acta_never_leaves_a_heading_without_its_matter() -> None:
    values = support_acta_values.acta(2)
    note = replace(values.notes[0], text="Reclamação anotada. " * 12)
    for others in range(12):
        told = (replace(note, kind="breakdown"), *[note] * others)
        sheets = pages(document.draw(replace(values, notes=told)))
        whole = [" ".join(sheet.split()) for sheet in sheets]
        begun = "Breakdowns of gaming equipment R61 l At Game Note Written by 21:00:00"
        assert sum(begun in sheet for sheet in whole) == 1


@pytest.mark.slow
def test_acta_keeps_signatures_with_the_journal_they_sign() -> None:
    for games in (0, 2, 4, 6):
        last = pages(document.draw(support_acta_values.acta(games)))[-1]
        assert "Journal" in last
        assert "Table chief" in last


def test_acta_of_a_session_without_games_is_drawn() -> None:
    assert "No game was held." in text(
        document.draw(replace(support_acta_values.acta(0), tills=()))
    )


@pytest.mark.rule(61)
def test_acta_loses_no_note_whatever_its_kind() -> None:
    values = support_acta_values.acta(1)
    strange = replace(values.notes[0], kind="unheard", text="Nota sem título")  # type: ignore[arg-type]
    assert "Nota sem título" in text(document.draw(replace(values, notes=(strange,))))


@pytest.mark.slow
def test_acta_prints_words_of_any_length_and_sign() -> None:
    values = support_acta_values.acta(2)
    note = replace(values.notes[0], text="<b>&amp; reclamação</b> " * 900)
    word = replace(values.notes[0], text="x" * 1500, by="y" * 300)
    games = (replace(values.games[0], voided="motivo " * 1200, issues=values.games[0].issues * 70),)
    printed = text(document.draw(replace(values, notes=(note, word), games=games)))
    assert printed.count("reclamação</b>") == 900


def test_acta_before_any_ball_says_so() -> None:
    values = support_acta_values.acta(1)
    never = replace(values.games[0], balls=(), winners=(), started_at=None, ended_at=None)
    printed = text(document.draw(replace(values, games=(never,))))
    assert "No ball was extracted." in printed
    assert "No prize was awarded." in printed


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdffonts") is None, reason="poppler-utils is not installed")
def test_acta_embeds_the_typeface_it_is_set_in(tmp_path: Path) -> None:
    file = tmp_path / "acta.pdf"
    file.write_bytes(document.draw(support_acta_values.acta()))
    listed = subprocess.run(
        ["pdffonts", str(file)], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    assert listed
    assert all("SourceSansPro" in line and " yes yes " in line for line in listed)


@pytest.fixture(scope="module")
def desk() -> str:
    with translation.override("en"):
        return text(document.draw(support_acta_values.desk()))


@pytest.mark.slow
@pytest.mark.rule(61)
def test_acta_prints_a_price_for_each_issue_where_there_are_several(desk: str) -> None:
    assert "several" in desk
    assert "H 000431 1 425 420 2,00 B 000077 61 120 60 5,00" in desk


def test_acta_of_one_price_has_no_column_of_prices(printed: str) -> None:
    assert "several" not in printed
    assert "H 000431 1 420 420 Caller" in printed


@pytest.mark.slow
@pytest.mark.rule(36)
def test_acta_prints_what_was_written_off_with_reason_and_second_person(desk: str) -> None:
    assert "H 000431 100–103 Rasgados ao abrir o maço Chefe de mesa" in desk
    assert "H 000431 250 Número ilegível –" in desk


@pytest.mark.slow
def test_acta_prints_who_sold(desk: str) -> None:
    assert "Cashier Caixa 1 400 920,00 Vendedora da sala Caixa 1 80 220,00" in desk


@pytest.mark.rule(15)
@pytest.mark.rule(45)
def test_acta_prints_both_games_of_double_cards_and_when_the_first_was_paid(desk: str) -> None:
    assert "Double cards, first game of two: each card was paid for both." in desk
    assert "the other half was played in game 3." in desk
    assert "the cards were sold and paid for in game 2." in desk
    assert desk.count("20:32:10, game 3") == 3


@pytest.mark.rule(57)
def test_acta_prints_what_each_till_gave_back(desk: str) -> None:
    assert "void, so that both halves were refunded" in desk
    assert "Caixa 1 400 1 600,00 Caixa 2 20 80,00" in desk


def test_acta_prints_what_was_done_before_a_second_person(desk: str, printed: str) -> None:
    assert "20:09:00 1 Cartões abatidos · H 000431 · 100–103 Caixa A Chefe de mesa" in desk
    assert "Done before a second person" not in printed


@pytest.mark.slow
def test_acta_of_every_kind_of_sale_carries_its_values() -> None:
    found = pdfa.attachment(document.draw(support_acta_values.desk()))
    assert found == acta_values.data(support_acta_values.desk())
    first = found["games"][0]["issues"][0]
    assert (first["face"], first["missing"][0]["reason"]) == (200, "Rasgados ao abrir o maço")


@pytest.mark.slow
def test_acta_never_leaves_a_page_of_every_kind_of_sale_without_matter() -> None:
    games = [support_acta_values.two_prices(number) for number in range(1, 6)]
    for count in range(1, 6):
        values = replace(support_acta_values.desk(), games=tuple(games[:count]))
        for sheet in pages(document.draw(values)):
            assert len(sheet) > 250, (count, sheet)


@pytest.mark.rule(54)
@pytest.mark.slow
def test_fixed_sentences_and_the_door_stand_in_the_language_of_the_law_too() -> None:
    values = replace(
        whole_evening.acta(2, languages=("pt",)), last_game=None, checks=(),
        clock=ClockValues("server", ()),
    )  # fmt: skip
    told = text(document.draw(replace(values, games=(support_acta_values.first_void(1),))))
    for said in (
        "The last game was not announced.", "The clock was not seen to go back.", "Came in",
        "Whoever opened the session said that it had been tried; there is no list of it.",
        "Double cards, first game: void, so that both halves were refunded.", "Went out",
        "Most inside at once",
    ):  # fmt: skip
        with translation.override("pt"):
            law = translation.gettext(said)
        assert said in told
        assert said != law in told, law


def test_claim_not_accepted_names_the_series_of_its_card(printed: str) -> None:
    claim = replace(support_acta_values.game(1).rejected[0], issue="B 000077")
    game = replace(support_acta_values.two_prices(1), rejected=(claim,))
    assert "B 000077 212 Falta o número 17" in text(
        document.draw(replace(support_acta_values.acta(0), games=(game,)))
    )
    assert "212 Falta o número 17" in printed


@pytest.fixture(scope="module")
def whole() -> list[str]:
    with translation.override("en"):
        sheets = pages(document.draw(whole_evening.acta(12)))
    return [" ".join(sheet.replace("\N{NO-BREAK SPACE}", " ").split()) for sheet in sheets]


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [
        "Licence: Autorização n.º 1/2026",
        "Line 20%, bingo 60%",
        "10% above 5 000,00 CVE",
        "04:50:00, set at 21/11 02:00:00 by Chefe de sala. Reason: Sala cheia",
        "Last game, number 12, announced at 21/11 04:40:00 by Locutora da sala.",
        "Venda anunciada × 12 · Bola × 660",
        "Fails: Painel do bar (Sem luz). Works: Bombo 1",
        "Painel do bar: Sem luz Há outros três Chefe de sala Chefe de mesa da sala",
        "B-0017 (90) Bolas, Lda., Pneu 90, 3/2026 Bombo 1 1 912 12 1 924 2 000",
        "missing: 7 · of another set: 91",
        "Prémio acumulado 46 49 000,00 1 000,00 241,92 −20,16 −12 000,00 5 000,00 0,00 43 221,76",
        "Ganho −12 000,00",
        "Played for the figure Cruz",
        "Of the sales: Bingo 55%, Prima 5% (within 40 balls)",
        "H 000431 12–14 Mesa 7 Mesa 9",
        "A number was announced wrongly · voided at 20:21:06 by Chefe de mesa da sala",
        "ball set B-0017",
        "Card H 000431 · 212: Linha cantada a tempo e",
        "Troco errado na caixa 2 written by Chefe de mesa da sala none yet",
        "Ao cofre Chefe de sala Chefe de mesa da sala −2 000,00",
        "Troco a mais a um jogador · 1 winning card unpaid",
        "1 H 000431: 17, 64, 203 · 4 H 000431: 17, 64, 203",
        "when the case is closed 4 4 3 H 000431: 17, 64, 203, 212*",
        "Games 1–12: cards destroyed 5 004, not handed in 1.",
        "The clock went back: at 23:00:00 it stood at 22:00:00.",
        "form 6 of 30 de novembro de 2026",
        "Came in Entraron 241 Went out Salieron 197 Most inside at once Máximo dentro a la vez 118",
        "Sent away: under age No admitidos: menor de edad 2",
    ],
)
@pytest.mark.rule(61)
def test_acta_prints_all_of_a_session(whole: list[str], said: str) -> None:
    assert any(said in sheet for sheet in whole)


@pytest.mark.rule(54)
@pytest.mark.slow
def test_acta_has_its_headings_in_the_languages_authorised_too() -> None:
    with translation.override("es"):
        spanish = [str(title) for title in labels.SECTIONS.values()]
    values = whole_evening.acta(1)
    both = text(document.draw(values))
    for number, title in enumerate(spanish, start=1):
        assert f"{number} {labels.SECTIONS[list(labels.SECTIONS)[number - 1]]}" in both
        assert title in both
    alone = text(document.draw(replace(values, languages=())))
    told = [title for title in spanish if title not in map(str, labels.SECTIONS.values())]
    assert not [title for title in told if title in alone]


@pytest.mark.slow
def test_acta_passes_over_a_language_it_has_no_words_in() -> None:
    values = whole_evening.acta(1)
    with_words = document.draw(replace(values, languages=("es", "kea")))
    assert text(with_words) == text(document.draw(replace(values, languages=("es",))))


@pytest.mark.slow
def test_acta_names_the_game_that_goes_on_at_the_head_of_a_sheet(whole: list[str]) -> None:
    for before, sheet in pairwise(whole):
        begun = re.findall(r"Game (\d+) (?:Partida \d+ · )?Bingo", before)
        goes_on = re.match(r".{0,120}?Game (\d+), continued", sheet)
        if goes_on:
            assert begun[-1:] == [goes_on[1]] or f"Game {goes_on[1]}, continued" in before
    assert sum(", continued" in sheet for sheet in whole) >= 3


@pytest.mark.slow
def test_acta_pushes_no_game_to_the_next_sheet_while_there_is_room() -> None:
    for games in (5, 8, 13):
        sheets = pages(document.draw(whole_evening.acta(games)))
        first = next(n for n, sheet in enumerate(sheets) if "Game 1\n" in sheet)
        last = next(n for n, sheet in enumerate(sheets) if "Summary of the games" in sheet)
        # A game of 55 balls with three winners, in two languages, takes half a sheet.
        assert last - first <= games * 0.5 + 1


def test_acta_parts_no_row_of_balls_from_its_hours() -> None:
    flowable = Balls(support_acta_values.game(1).balls, Writing("en", "CVE"))
    assert flowable.split(kit.WIDTH, HEIGHT - 1) == []
    above, below = flowable.split(kit.WIDTH, 2 * HEIGHT + 5)
    assert [len(part.balls) for part in (above, below)] == [40, 15]
    assert below.balls[0].order == 41


def test_acta_without_what_older_actas_lack_is_drawn() -> None:
    """Values of before have neither template nor any table of the session."""
    printed = text(document.draw(support_acta_values.acta(1)))
    assert "No jackpot was played for" in printed
    assert "form 4" not in printed


@pytest.mark.slow
def test_acta_cuts_short_a_name_too_long_for_the_running_lines() -> None:
    long = replace(support_acta_values.acta(4), hall="Sala " * 39, licence="Licença " * 12)
    sheets = pages(document.draw(long))
    for number, sheet in enumerate(sheets[1:], start=2):
        assert "\N{HORIZONTAL ELLIPSIS}" in sheet
        assert f"Page {number} of {len(sheets)}" in sheet


@pytest.mark.slow
def test_acta_of_another_rulebook_names_no_rule_of_this_one() -> None:
    values = replace(whole_evening.acta(12), article="")
    told = [word for word in text(document.draw(values)).split() if re.fullmatch(r"R\d+,?", word)]
    assert told == []

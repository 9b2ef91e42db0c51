"""A document read out: headings, tables with their titles, figures in words, in the order seen."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest
from django.utils import translation
from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf import pages as pdf_pages
from bingo.pdf.tagging import TaggedTable
from draws.record.acta import document, labels
from draws.record.acta.labels import SECTIONS
from tests.support import acta_checkpoint, acta_values, pdf_conformance, whole_evening

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _portuguese() -> Iterator[None]:
    with translation.override("pt"):
        yield


def composed(*story: Flowable) -> bytes:
    sheet = pdf_pages.Sheet("Acta 7", "Sala", "Lei", "pt", NOW, "Sala · Acta 7", "Licença 1")
    return pdf_pages.compose(list(story), sheet, start=lambda _canvas: None)


def _lines(count: int) -> list[list[object]]:
    return [[str(n), f"{n},00"] for n in range(1, count + 1)]


def tree(pdf: bytes) -> Any:
    return root(pdf)["/StructTreeRoot"]["/K"][0].get_object()


def root(pdf: bytes) -> Any:
    return pypdf.PdfReader(BytesIO(pdf), strict=True).root_object


def elements(pdf: bytes) -> list[Any]:
    """Every element of a document's structure, in the order they are read out."""

    def within(element: Any) -> Iterator[Any]:
        yield element
        for kid in element["/K"]:
            value = kid.get_object()
            if isinstance(value, dict) and "/S" in value:
                yield from within(value)

    return list(within(tree(pdf)))


def roles(pdf: bytes) -> list[str]:
    return [str(element["/S"])[1:] for element in elements(pdf)]


def read_out(pdf: bytes, folder: Path) -> str:
    """The structure with its words, as poppler reads it."""
    file = folder / "document.pdf"
    file.write_bytes(pdf)
    command = ["pdfinfo", "-struct-text", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


needs_poppler = pytest.mark.skipif(
    shutil.which("pdfinfo") is None, reason="poppler-utils is not installed"
)


def test_headings_paragraphs_and_tables_are_named_as_such() -> None:
    rows: list[list[object]] = [["Jogo", "Valor"], ["1", "2,00"], ["2", ""]]
    pdf = composed(
        kit.paragraph("Acta 7", kit.TITLE),
        *kit.heading("1 Sessão"),
        kit.paragraph("Aberta"),
        *kit.headed("Contas", "R61", kit.ledger(rows, [100, 100])),
    )
    row = ["TR", "TD", "TD"]
    assert roles(pdf) == [
        "Document", "H1", "H2", "P", "H3", "Table", "TR", "TH", "TH", *row, *row,
    ]  # fmt: skip
    titles = [element for element in elements(pdf) if element["/S"] == "/TH"]
    assert [title["/A"]["/Scope"] for title in titles] == ["/Column", "/Column"]
    assert pdf_conformance.faults(pdf) == pdf_conformance.unread(pdf) == set()


def test_titles_repeated_on_every_page_are_read_once_and_the_table_stays_one() -> None:
    rows: list[list[object]] = [["Jogo", "Valor"], *_lines(200)]
    pdf = composed(kit.ledger(rows, [100, 100]))
    reader = pypdf.PdfReader(BytesIO(pdf))
    assert len(reader.pages) > 3
    assert all("Jogo" in page.extract_text() for page in reader.pages)
    named = roles(pdf)
    assert (named.count("Table"), named.count("TR"), named.count("TH")) == (1, 201, 2)
    assert named.count("TD") == 400
    assert pdf_conformance.faults(pdf) == pdf_conformance.unread(pdf) == set()


def test_row_and_paragraph_that_go_on_over_the_page_are_one() -> None:
    long = kit.paragraph("palavra " * 3000, kit.CELL)
    rows: list[list[object]] = [["Hora", "Nota"], ["20:00", long], ["21:00", "Fim"]]
    pdf = composed(kit.ledger(rows, [60, 200]), kit.paragraph("outra " * 2000))
    assert len(pypdf.PdfReader(BytesIO(pdf)).pages) > 3
    assert roles(pdf) == [
        "Document", "Table", "TR", "TH", "TH", "TR", "TD", "TD", "TR", "TD", "TD", "P",
    ]  # fmt: skip
    note = elements(pdf)[7]
    on = {kid.get("/Pg", note["/Pg"]) if isinstance(kid, dict) else 0 for kid in note["/K"]}
    assert len(note["/K"]) == len(on) > 1
    assert pdf_conformance.faults(pdf) == pdf_conformance.unread(pdf) == set()


def test_cells_that_span_others_say_so() -> None:
    table = TaggedTable(
        [["Sala", "Valor", ""], ["A", "1", "2"], ["", "3", "4"]],
        colWidths=[60, 60, 60],
        repeatRows=1,
        style=[kit.BASE, ("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 1), (0, 2))],
    )
    pdf = composed(table)
    spans = [
        (str(element["/S"]), element["/A"].get("/ColSpan"), element["/A"].get("/RowSpan"))
        for element in elements(pdf)
        if "/A" in element
    ]
    assert spans == [("/TH", None, None), ("/TH", 2, None), ("/TD", None, 2)]
    assert pdf_conformance.faults(pdf) == pdf_conformance.unread(pdf) == set()


def test_what_is_drawn_beside_the_structure_is_found() -> None:
    """The validator does look: a drawing that nobody named is no part of what is read out."""

    class Unnamed(Flowable):  # type: ignore[misc]  # ReportLab carries no types
        width = height = 10

        def draw(self) -> None:
            self.canv.drawString(0, 0, "ninguém")

    assert pdf_conformance.unread(composed(Unnamed())) == {"PDFUA1-CONTENT-TAGGING-001"}


@pytest.mark.rule(61)
@needs_poppler
def test_acta_is_read_out_in_the_order_in_which_it_is_seen(tmp_path: Path) -> None:
    """Each text of the page comes once, after the one before it: page by page, line by line."""
    values = acta_values.acta()
    pdf = document.draw(values)
    output = read_out(pdf, tmp_path)
    said = [line.strip().strip('"') for line in output.splitlines() if line.strip().startswith('"')]
    headings = [f"{place} {title}" for place, title in enumerate(map(str, SECTIONS.values()), 1)]
    games = [str(labels.GAME) % {"number": game.number} for game in values.games]
    expected = [values.hall, *headings[:4], *games, *headings[4:]]
    assert [line for line in said if line in expected] == expected
    assert roles(pdf).count("H1") == 1
    running = str(_("Page %(number)s of %(count)s")) % {"number": 1, "count": 4}
    assert running in pypdf.PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert running not in " ".join(said)  # what every page repeats is not read out


@pytest.mark.slow
@pytest.mark.rule(61)
def test_balls_are_read_out_each_with_its_hour() -> None:
    values = acta_values.acta()
    spoken = [
        str(element["/ActualText"])
        for element in elements(document.draw(values))
        if element["/S"] == "/LBody"
    ]
    first = values.games[0].balls[:20]
    assert spoken[0] == ", ".join(f"{ball.number} ({ball.at:%H:%M:%S})" for ball in first)
    rows = sum(-(-len(game.balls) // 20) for game in values.games)
    assert len(spoken) == rows


@pytest.mark.slow
@pytest.mark.rule(73)
def test_figure_and_code_have_words_for_them() -> None:
    pdf = document.draw(whole_evening.acta(8), checkpoint=acta_checkpoint.values())
    figures = [element for element in elements(pdf) if element["/S"] == "/Figure"]
    alternates = [str(figure["/Alt"]) for figure in figures]
    assert any("Cruz" in words for words in alternates)
    assert alternates[-1].startswith(str(_("Checkpoint of the journal")))
    for figure in figures:
        left, bottom, right, top = figure["/A"]["/BBox"]
        assert 0 < left < right < kit.PAGE[0]
        assert 0 < bottom < top < kit.PAGE[1]
    assert pdf_conformance.faults(pdf) == pdf_conformance.unread(pdf) == set()


@pytest.mark.parametrize("language", ["pt", "es", "gl", "ca", "en"])
def test_acta_says_which_language_it_is_in(language: str) -> None:
    with translation.override(language):
        pdf = document.draw(replace(acta_values.acta(1), language=language))
    assert root(pdf)["/Lang"] == language
    assert pdf_conformance.unread(pdf) == set()

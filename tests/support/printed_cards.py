"""Printed cards read by programs that had no part in making them: Poppler, PDFium, ZXing."""

import subprocess
from collections import defaultdict
from html import unescape
from io import BytesIO
from pathlib import Path
from re import findall
from typing import NamedTuple

import pypdf
import zxingcpp
from PIL import Image


class Word(NamedTuple):
    """A word of a page: its box in points from the top left corner."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def picture(pdf: bytes, page: int = 1, dpi: int = 200, *, grey: bool = True) -> Image.Image:
    """A page as Poppler prints it."""
    colours = ["-gray"] if grey else []
    program = ["pdftoppm", "-r", str(dpi), "-f", str(page), "-l", str(page), *colours]
    done = subprocess.run(program, input=pdf, capture_output=True, check=True)
    return Image.open(BytesIO(done.stdout))


def part(image: Image.Image, dpi: int, box: tuple[float, float, float, float]) -> Image.Image:
    """A part of a page, given in millimetres by left, top, right and bottom."""
    left, top, right, bottom = (round(edge / 25.4 * dpi) for edge in box)
    return image.crop((left, top, right, bottom))


def grey(image: Image.Image, dpi: int, box: tuple[float, float, float, float]) -> float:
    """The mean grey of a part of a page, 0 for black to 255."""
    cut = part(image, dpi, box).convert("L").tobytes()
    return sum(cut) / len(cut)


def codes(image: Image.Image) -> list[str]:
    """What ZXing reads on a page of 200 dots an inch, line by line, left to right."""
    placed = [(read.position.top_left, read.text) for read in zxingcpp.read_barcodes(image)]
    return [
        text for at, text in sorted(placed, key=lambda read: (round(read[0].y / 100), read[0].x))
    ]


def text(pdf: bytes) -> list[str]:
    """The text of each page as pypdf reads it, one space between words."""
    pages = pypdf.PdfReader(BytesIO(pdf), strict=True).pages
    return [" ".join(page.extract_text().replace("\xa0", " ").split()) for page in pages]


def words(pdf: bytes, folder: Path, page: int = 1) -> list[Word]:
    """The words of a page and where they stand, as Poppler reads them."""
    file = folder / "cards.pdf"
    file.write_bytes(pdf)
    program = ["pdftotext", "-bbox", "-f", str(page), "-l", str(page), str(file), "-"]
    told = subprocess.run(program, capture_output=True, check=True, text=True).stdout
    pattern = r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>'
    return [
        Word(float(a), float(b), float(c), float(d), unescape(inner))
        for a, b, c, d, inner in findall(pattern, told)
    ]


def rows(found: list[Word], least: float) -> list[list[int]]:
    """The numbers at least so many points high, line by line from the top, left to right."""
    lines: dict[int, list[Word]] = defaultdict(list)
    for word in found:
        if word.text.isdigit() and word.bottom - word.top >= least:
            lines[round(word.bottom)].append(word)
    return [[int(word.text) for word in sorted(lines[line])] for line in sorted(lines)]

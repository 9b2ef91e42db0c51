"""What the tests of acta texts share with others."""

from io import BytesIO

import pypdf


def pages(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in pypdf.PdfReader(BytesIO(pdf)).pages]


def text(pdf: bytes) -> str:
    return " ".join(" ".join(pages(pdf)).replace("\N{NO-BREAK SPACE}", " ").split())

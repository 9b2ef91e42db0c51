"""A hall's key and a sealed document, made once for all tests of the seal."""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import keys, pdfa, seal
from bingo.pdf.keys import SigningKey

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    folder: Path = tmp_path_factory.mktemp("hall") / "seal"
    return keys.ensure(folder, hall="Sala de Bingo", now=NOW)


@pytest.fixture(scope="session")
def document() -> bytes:
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    canvas.drawString(100, 700, "Acta")
    pdfa.embed(canvas, pdfa.canonical({"session": 7}), description="Dados da acta", at=NOW)
    canvas.save()
    return out.getvalue()


@pytest.fixture(scope="session")
def sealed(document: bytes, key: SigningKey) -> bytes:
    return seal.sign_pdf(
        document, key=key, at=NOW, field_name="Acta", reason="Acta 7", location="Sala"
    )

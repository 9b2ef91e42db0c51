"""Labels in the hall's language and in those authorised beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from django.utils import translation

from draws.record.acta import document
from draws.record.acta import labels as acta_labels
from tests.support import whole_evening

DOCUMENTS = Path(acta_labels.__file__).parent


def labels() -> Iterator[str]:
    """Return every label that an acta may have, in English, as the sources have it."""
    for file in DOCUMENTS.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "both":
                assert isinstance(node.args[0], ast.Constant)
                yield str(node.args[0].value)


def shown(languages: tuple[str, ...]) -> str:
    with translation.override("pt"):
        pdf = document.draw(whole_evening.acta(5, languages=languages))
    pages = pypdf.PdfReader(BytesIO(pdf)).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


@pytest.mark.rule(54)
def test_label_is_said_in_each_language_once() -> None:
    with translation.override("pt"), acta_labels.also_in(["es", "kea", "pt", "gl"]):
        assert acta_labels.both("Tax withheld").split("\n")[:2] == ["Imposto retido", "Impuesto retenido"]  # fmt: skip
        # Where two languages have one word for it, it stands there once.
        words = acta_labels.both("Series").split("\n")
        assert len(words) == len(set(words))
        assert acta_labels.along("Amounts in %(currency)s.", currency="CVE").count("CVE") == 2
    with translation.override("pt"):
        assert acta_labels.both("Tax withheld") == "Imposto retido"


@pytest.mark.slow
@pytest.mark.rule(54)
def test_every_label_of_an_acta_stands_in_both_languages() -> None:
    alone, together = shown(()), shown(("es",))
    found = 0
    for label in set(labels()):
        with translation.override("pt"):
            ours = translation.gettext(label)
        with translation.override("es"):
            other = translation.gettext(label)
        if "%" in ours or ours not in alone:
            continue  # not in this evening's acta
        # Broken where a column is narrow: its longest word shows that it is there.
        assert max(re.split(r"[ ,;:.()]", other), key=len) in together, label
        found += 1
    assert found > 90


@pytest.mark.slow
def test_words_of_one_document_are_not_those_of_the_next() -> None:
    assert shown(()) == shown(())
    assert "Impuesto" in shown(("es",))
    assert "Impuesto" not in shown(())

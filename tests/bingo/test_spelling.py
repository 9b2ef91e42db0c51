"""Portuguese is written in one spelling everywhere: the law's, or that of the agreement of 1990."""

from __future__ import annotations

import gettext
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo import catalogues
from bingo.catalogues import AGREED, BEFORE, SPELLINGS

ROOT = Path(__file__).resolve().parents[2]
# Words of only one spelling, as roots: the catalogue that Django reads never has any of the other.
ONLY = {
    BEFORE: re.compile(r"\b(actas?|\w*extracç\w+|inspector\w*|rectific\w+|electr\w+|infracç\w+)\b", re.IGNORECASE),
    AGREED: re.compile(r"\b(atas?|\w*extraç\w+|inspetor\w*|retific\w+|eletr\w+|infraç\w+)\b", re.IGNORECASE),
}  # fmt: skip
OTHER = {BEFORE: AGREED, AGREED: BEFORE}


@pytest.mark.parametrize(
    ("agreed", "before"),
    [
        ("A ata da sessão", "A acta da sessão"),
        ("ATA", "ACTA"),
        ("Retificação da ata, pelo inspetor", "Rectificação da acta, pelo inspector"),
        ("Inicia-se a extração das bolas.", "Inicia-se a extracção das bolas."),
        (
            "eletrónico, atual, corretas, suscetíveis",
            "electrónico, actual, correctas, susceptíveis",
        ),
        ("os que veem as atas", "os que vêem as actas"),
    ],
)
def test_words_are_respelled_both_ways(agreed: str, before: str) -> None:
    assert catalogues.respelled(agreed, spelling=BEFORE) == before
    assert catalogues.respelled(before, spelling=AGREED) == agreed


@pytest.mark.parametrize(
    "text",
    ["relativo, nativa, motivo", "atada, batata", "facto, contacto", "%(ata)s {atual}", "x-ata"],
)
def test_other_words_and_places_for_values_stay(text: str) -> None:
    for one in SPELLINGS:
        assert catalogues.respelled(text, spelling=one) == text


@given(st.lists(st.sampled_from(sorted(catalogues.STEMS))), st.sampled_from(SPELLINGS))
def test_respelling_twice_changes_nothing_more(stems: list[str], one: str) -> None:
    text = " ".join(stem.removesuffix("|") for stem in stems)
    told = catalogues.respelled(text, spelling=one)
    assert catalogues.respelled(told, spelling=one) == told
    back = catalogues.respelled(told, spelling=OTHER[one])
    assert catalogues.respelled(back, spelling=one) == told


@pytest.mark.slow
@pytest.mark.parametrize("one", SPELLINGS)
def test_catalogue_that_is_read_has_one_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: str
) -> None:
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    monkeypatch.setenv(catalogues.VARIABLE, one)
    catalogues.compile_stale(tmp_path)
    with catalogues.file_of(tmp_path, "pt").with_suffix(".mo").open("rb") as file:
        told = gettext.GNUTranslations(file)
    assert told.gettext("Acta") == {BEFORE: "Acta", AGREED: "Ata"}[one]
    texts = [text for key, text in told._catalog.items() if key]  # type: ignore[attr-defined]
    assert len(texts) > 2_000
    assert [text for text in texts if ONLY[OTHER[one]].search(text)] == []
    assert sum(bool(ONLY[one].search(text)) for text in texts) > 60


@pytest.mark.slow
def test_catalogue_is_compiled_anew_for_another_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    compiled = catalogues.file_of(tmp_path, "pt").with_suffix(".mo")
    monkeypatch.setenv(catalogues.VARIABLE, BEFORE)
    catalogues.compile_stale(tmp_path)
    before = compiled.read_bytes()
    catalogues.compile_stale(tmp_path)
    assert compiled.read_bytes() == before
    monkeypatch.setenv(catalogues.VARIABLE, AGREED)
    catalogues.compile_stale(tmp_path)
    assert compiled.read_bytes() != before


@pytest.mark.slow
def test_catalan_galician_and_spanish_write_acta(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "locale", tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    monkeypatch.setenv(catalogues.VARIABLE, AGREED)
    catalogues.compile_all(tmp_path)
    for language in ("es", "gl", "ca"):
        with catalogues.file_of(tmp_path, language).with_suffix(".mo").open("rb") as file:
            assert gettext.GNUTranslations(file).gettext("Acta") == "Acta"


def test_spelling_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(catalogues.VARIABLE, "1911")
    with pytest.raises(ValueError, match="1945, 1990"):
        catalogues.chosen()
    monkeypatch.delenv(catalogues.VARIABLE)
    assert catalogues.chosen() == BEFORE

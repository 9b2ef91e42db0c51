"""A document is the same however it is typed, and known by a keyed hash alone (BOE III)."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import admission, rulebooks
from bingo.rules.admission import Document
from bingo.rules.refusal import Refusal

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
pytestmark = pytest.mark.rule("BOE III")


@pytest.mark.parametrize(
    "typed",
    [
        "12345678Z", "12345678z", " 12.345.678-z ", "12 345 678 Z", "12·345·678·Z",
        "\uff11\uff12345678\uff3a", "12\u2011345\u2011678\u2011Z", "12\u00a0345\u00a0678Z",
    ],
)  # fmt: skip
def test_spaces_punctuation_and_small_letters_make_no_other_document(typed: str) -> None:
    assert admission.read_document("identity_card", "es ", typed) == Document(
        "identity_card", "ES", "12345678Z"
    )


@pytest.mark.parametrize(
    "typed",
    [
        "", "   ", "---", "123", "1" * 25, "9" * 10_000, "1234\x005678", "1234\u202e5678",
        "\u200f12345678", "1234\u200b5678", "1234\n\x7f", "١٢٣٤٥٦٧٨", "ВА123456", "ı2345678",
        "ß1234567", "1234😀5678", "<b>1234</b>", "a" * 61,
    ],
)  # fmt: skip
def test_what_is_no_number_of_a_document_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(Refusal, match="bad_document") as refused:
        admission.read_document("identity_card", "ES", typed)
    assert typed == "" or typed not in str(refused.value.values)


@pytest.mark.parametrize(
    ("kind", "country", "code"),
    [
        ("licence", "ES", "unknown_document"), ("", "ES", "unknown_document"),
        ("passport", "XX", "unknown_country"), ("passport", "", "unknown_country"),
        ("passport", "ESP", "unknown_country"), ("passport", "E\x00", "unknown_country"),
    ],
)  # fmt: skip
def test_kind_and_country_are_of_the_lists(kind: str, country: str, code: str) -> None:
    with pytest.raises(Refusal, match=code):
        admission.read_document(kind, country, "AB123456")


@given(number=st.from_regex(r"[0-9A-Za-z]{4,24}", fullmatch=True))
def test_any_letters_and_digits_are_a_document_whatever_parts_them(number: str) -> None:
    parted = "-".join(number)[:60]
    told = admission.read_document("passport", "PT", number)
    assert told.number == number.upper()
    if len(parted) == 2 * len(number) - 1:
        assert admission.read_document("passport", "PT", parted) == told


def test_hash_is_of_kind_country_number_and_key_together() -> None:
    same = admission.read_document("passport", "PT", "ab 123456")
    hashes = {
        admission.document_digest(same, key=KEY),
        admission.document_digest(admission.read_document("passport", "PT", "AB123456"), key=KEY),
    }
    assert len(hashes) == 1
    others = (
        admission.document_digest(same, key=OTHER_KEY),
        admission.document_digest(admission.read_document("passport", "ES", "AB123456"), key=KEY),
        admission.document_digest(
            admission.read_document("identity_card", "PT", "AB123456"), key=KEY
        ),
        admission.document_digest(admission.read_document("passport", "PT", "AB123457"), key=KEY),
        hashlib.sha256(b"passport/PT/AB123456").hexdigest(),
    )
    assert len({*hashes, *others}) == 6
    assert all(len(one) == 64 for one in hashes)


def test_number_is_not_told_by_what_a_program_shows_of_a_document() -> None:
    assert "AB123456" not in repr(admission.read_document("passport", "PT", "AB123456"))
    assert "passport" in repr(admission.read_document("passport", "PT", "AB123456"))


def test_what_the_journal_keeps_is_another_for_each_row() -> None:
    digest = admission.document_digest(
        admission.read_document("passport", "PT", "AB123456"), key=KEY
    )
    told = {admission.sealed(digest, salt=salt) for salt in ("00" * 16, "01" * 16)}
    assert len(told) == 2
    assert digest not in told


def test_rule_books_say_whether_identity_is_asked_and_how_long_the_register_is_kept() -> None:
    spain, cape_verde = rulebooks.get("spain-1979"), rulebooks.get("cape-verde-2017")
    assert (spain.identity_asked, cape_verde.identity_asked) == (True, False)
    assert (spain.admission_days, cape_verde.admission_days) == (184, 184)
    assert {spain.country, cape_verde.country} <= admission.COUNTRIES
    assert len(admission.COUNTRIES) == 249

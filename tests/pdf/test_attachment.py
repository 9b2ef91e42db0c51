"""The data inside a PDF comes back as it went in, before and after the seal."""

import pytest

from bingo.pdf import attachment


@pytest.mark.rule(59)
def test_attachment_is_read_back_from_both_documents(document: bytes, sealed: bytes) -> None:
    assert attachment.attachment(document) == {"session": 7}
    assert attachment.attachment(sealed) == {"session": 7}


def test_canonical_json_is_sorted_unspaced_and_utf8() -> None:
    values = {"b": [1, None, True], "a": "ção €"}
    assert attachment.canonical(values) == '{"a":"ção €","b":[1,null,true]}'.encode()


def test_canonical_json_has_no_name_for_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        attachment.canonical({"a": float("nan")})


@pytest.mark.parametrize("hostile", [b"", b"%PDF-1.7", b"\x00" * 500, bytes(attachment.LIMIT + 1)])
def test_attachment_missing_is_told_alike_whatever_the_bytes(hostile: bytes) -> None:
    with pytest.raises(LookupError):
        attachment.attachment(hostile)

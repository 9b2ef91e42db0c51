"""The regulator's word on an acta: what may be said, of what, and how often."""

import pytest

from bingo.rules import actas_after_sealing
from bingo.rules.refusal import Refusal

ACTA = "a" * 64


@pytest.mark.rule(61)
def test_acta_is_acknowledged_once_for_each_file() -> None:
    told = actas_after_sealing.acknowledge(session=3, acta=ACTA, known=["b" * 64])
    assert told == {"session": 3, "acta": ACTA}
    with pytest.raises(Refusal, match="acta_acknowledged_already"):
        actas_after_sealing.acknowledge(session=3, acta=ACTA, known=[ACTA])


@pytest.mark.rule(61)
def test_remark_and_answer_say_something_that_can_be_read() -> None:
    assert actas_after_sealing.remark(session=3, acta=ACTA, text=" Falta ")["text"] == "Falta"
    for text, code in (
        ("", "text_missing"),
        (" \n", "text_missing"),
        ("x" * 501, "bad_text"),
        ("\x00", "bad_text"),
    ):
        with pytest.raises(Refusal, match=code):
            actas_after_sealing.remark(session=3, acta=ACTA, text=text)
        with pytest.raises(Refusal, match=code):
            actas_after_sealing.answer(session=3, remark=7, text=text, remarks=[7], answered=[])


@pytest.mark.rule(61)
def test_remark_is_answered_once() -> None:
    asked = {"session": 3, "remark": 7, "text": "Visto"}
    assert actas_after_sealing.answer(**asked, remarks=[7], answered=[]) == asked  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="remark_answered_already"):
        actas_after_sealing.answer(**asked, remarks=[7], answered=[7])  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="unknown_remark"):
        actas_after_sealing.answer(**asked, remarks=[8], answered=[])  # type: ignore[arg-type]

"""Refusals: a code and values, never a sentence."""

import pickle

from bingo.rules.refusal import Refusal


def test_refusal_reads_as_code_and_values() -> None:
    assert str(Refusal("only_left", left=3)) == "only_left(left=3)"
    assert str(Refusal("sold_out")) == "sold_out()"
    assert repr(Refusal("bad", a=1, b="x")) == "Refusal(bad(a=1, b='x'))"


def test_refusal_equality_is_by_code_and_values() -> None:
    assert Refusal("only_left", left=3) == Refusal("only_left", left=3)
    assert hash(Refusal("only_left", left=3)) == hash(Refusal("only_left", left=3))
    assert Refusal("only_left", left=3) != Refusal("only_left", left=4)
    assert Refusal("only_left", left=3) != Refusal("left", left=3)
    assert Refusal("only_left", left=3) != "only_left(left=3)"


def test_refusal_survives_pickling_with_its_values() -> None:
    refusal = Refusal("only_left", left=3, code_of=["K"])

    assert pickle.loads(pickle.dumps(refusal)) == refusal

"""What the tests of double cards share with others."""

from typing import Any

from tests.support.rules_playing import (
    FACE,
    Play,
    an_issue,
    top_line,
)

CARDS = 6


def sold(**terms: Any) -> Play:
    """A first game of double cards, six of them sold."""
    play = Play(**terms).till()
    issue = an_issue() | {"double": True}
    play.do("game_opened", format=90, face=FACE, issue=issue, matrix="ab" * 32)
    play.do("sale_announced")
    play.sell(CARDS)
    return play


def paying(line: int = 1, bingo: int = 2, **terms: Any) -> Play:
    """A first game played to its end: one card has won the line, one the bingo."""
    return won(sold(**terms).begin_draw(), line=line, bingo=bingo)


def won(play: Play, *, line: int, bingo: int) -> Play:
    play.balls(*sorted(top_line(line))).call("line").check("line", line)
    play.window()
    play.do("draw_resumed")
    return play.bingo(bingo)


def between(**terms: Any) -> Play:
    """The first game is complete, nothing paid, the second is due."""
    play = paying(**terms)
    play.do("entry_completed")
    return play

"""What the tests of game share with others."""

from collections.abc import Callable

from bingo.rules.session_state import Phase
from tests.support.rules_playing import (
    Play,
    top_line,
)


def line_called() -> Play:
    play = Play().till().drawing().balls(*top_line(1)).call("line")
    play.check("line", 1)
    return play


def asked() -> Play:
    play = line_called()
    play.do("window_opened")
    return play


def completed() -> Play:
    play = Play().till().drawing().bingo()
    play.pay(1)
    play.do("entry_completed")
    return play


def closed() -> Play:
    play = Play().till().selling()
    play.sell(6)
    play.do("sale_closed")
    return play


# A way into each phase.
WAYS: dict[Phase, Callable[[], Play]] = {
    Phase.PREPARED: lambda: Play().opened(),
    Phase.SELLING: lambda: Play().selling(),
    Phase.CLOSED: closed,
    Phase.DRAWING: lambda: Play().till().drawing(),
    Phase.STOPPED: line_called,
    Phase.WINDOW: asked,
    Phase.PAYING: lambda: Play().till().drawing().bingo(),
    Phase.VOIDED: lambda: Play().till().drawing().void(),
    Phase.COMPLETE: completed,
}

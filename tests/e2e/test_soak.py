"""An evening of sixty games at speed before ten boards: none drifts, none grows, and all come back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from draws.boards.queries import board as truth
from draws.demonstration import play
from draws.demonstration.evening import GamePlan
from draws.record.audit import audit
from halls.models import Hall, WallRole
from tests.e2e.conftest import CODE, RunningHall
from tests.support.truth import restart

__all__ = ["restart"]
pytestmark = pytest.mark.browser

GAMES, BOARDS, CARDS = 60, 10, 12
WITHIN = 10_000  # ms until a board shows what the hall knows, on a machine that is busy
UNSURE = 5_000  # ms until a board says that it does not know
BACK = 10_000  # ms after the server came back
MIDDLE = 10  # balls
EVERY = 10  # games between two looks at the memory
KILLED, PULLED = 25, 35  # games in which the server is killed, and a board's plug is pulled
HEAP, NODES, SERVER = 1.3, 1.2, 1.2  # times what it was after the first ten games
PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20  # MiB


class Wall:
    """One board, and what its page takes of its machine."""

    def __init__(self, browser: Browser, url: str, role: str) -> None:
        self.url = f"{url}/board/{CODE}/?as={role}"
        self.context = browser.new_context(viewport={"width": 960, "height": 540})
        self.page: Page = self.context.new_page()
        self.sizes: list[dict[str, float]] = []
        self.switch_on()

    def switch_on(self) -> None:
        """Open the board in a page of its own, as after its plug was pulled."""
        self.page.close()
        self.page = self.context.new_page()
        self.page.goto(self.url)
        self.metrics: CDPSession = self.context.new_cdp_session(self.page)
        self.metrics.send("Performance.enable")
        self.sizes = []

    def shows(self, count: int, phase: str, *, within: float = WITHIN) -> None:
        """See that it is sure, and shows so many balls of this phase."""
        expect(self.page.locator("#board")).to_have_attribute("data-phase", phase, timeout=within)
        expect(self.page.locator("[data-put=count]")).to_have_text(str(count), timeout=within)
        expect(self.page.locator("body")).to_have_attribute("data-sure", "yes", timeout=within)
        called = self.page.locator("#numbers .is-called").count()
        assert called == count

    def weigh(self) -> None:
        """Note what the page holds once what it does not need is gone."""
        self.metrics.send("HeapProfiler.collectGarbage")
        told = self.metrics.send("Performance.getMetrics")["metrics"]
        self.sizes.append({one["name"]: one["value"] for one in told})

    def grown(self, name: str) -> float:
        """Return how many times as much of something it holds as at first."""
        return self.sizes[-1][name] / self.sizes[0][name]


def memory(pid: int) -> float:
    """Return the memory of a process in MiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


class Hallful:
    """Ten boards before whom an evening is played, and what befalls them."""

    def __init__(self, browser: Browser, running: RunningHall, restart: Callable[[], None]) -> None:
        roles = [WallRole.values[place % len(WallRole.values)] for place in range(BOARDS)]
        self.walls = [Wall(browser, running.url, role) for role in roles]
        self.server: list[float] = []
        self._running, self._restart = running, restart
        self._game = 1

    def follow(self, what: str, at: int, _of: int) -> None:
        """Look in mid-game and at each end, as the evening tells how far it is."""
        if what == "balls" and at == MIDDLE:
            self._look()
            if self._game == KILLED:
                self._lose_the_server()
            if self._game == PULLED:
                self.walls[0].switch_on()
                self._look()
        if what == "games":
            self._look()
            self._game = at + 1
            if at % EVERY == 0:
                self._weigh()

    def _look(self, within: float = WITHIN) -> None:
        told = truth(CODE)[1]
        for wall in self.walls:
            wall.shows(told["count"], told["phase"], within=within)

    def _lose_the_server(self) -> None:
        self._running.server.kill()
        self._running.server.wait()
        for wall in self.walls:
            expect(wall.page.locator("#unsure")).to_be_visible(timeout=UNSURE)
        self._restart()
        self._look(within=BACK)

    def _weigh(self) -> None:
        for wall in self.walls:
            wall.weigh()
        if self._running.server.poll() is None:
            self.server.append(memory(self._running.server.pid))


@pytest.mark.slow
@pytest.mark.rule(29)
def test_ten_boards_follow_sixty_games_without_drift_or_growth(
    browser: Browser,
    running_hall: RunningHall,
    restart: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = Hallful(browser, running_hall, restart)
    monkeypatch.setattr(play, "PLANS", (GamePlan("1001", CARDS),) * GAMES)
    session = play.play(running_hall.hall, eyes=None, progress=before.follow)
    assert session.games.count() == GAMES
    for wall in before.walls:
        assert wall.grown("JSHeapUsedSize") < HEAP, wall.sizes
        assert wall.grown("Nodes") < NODES, wall.sizes
    assert before.server[-1] / before.server[0] < SERVER
    assert audit(Hall.objects.get()) == []

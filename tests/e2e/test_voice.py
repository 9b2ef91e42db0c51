"""The hall's voice in a real browser: what is shown is said, to its end, and nothing else (R31, R54)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from playwright.sync_api import Browser, Page, Route, expect

from draws.balls import draw
from draws.boards.voice_clips import LANGUAGES, clips
from draws.claims import services as claims_services
from draws.games import services as games_services
from halls.models import Role
from halls.policy.services import set_policy
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.evening import Evening
from tests.support.people import Person, enter

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.rule(31)]

# Everything that the page's player does, in order.
LISTEN = """
window.heard = [];
const told = (what) => (event) => {
  if (event.target.src) window.heard.push(what + " " + event.target.src.split("/").slice(-2).join("/"));
};
const Sound = window.Audio;
window.Audio = class extends Sound {
  constructor(...given) {
    super(...given);
    for (const what of ["playing", "ended", "error"]) this.addEventListener(what, told(what));
    window.sound = this;
  }
};
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.requestConfig.path.endsWith("/do/draw/")) window.heard.push("draw");
});
"""
DECODE = """async (paths) => {
  const context = new OfflineAudioContext(1, 48000, 48000);
  const found = [];
  for (const path of paths) {
    const sound = await context.decodeAudioData(await (await fetch(path)).arrayBuffer());
    let loudest = 0;
    for (const one of sound.getChannelData(0)) loudest = Math.max(loudest, Math.abs(one));
    found.push([path, sound.duration, loudest]);
  }
  return found;
}"""


@pytest.fixture
def speaking(browser: Browser, chromium: str) -> Iterator[Browser]:
    """A browser that lets a page speak before anybody has pressed anything in it."""
    args = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
    started = browser.browser_type.launch(executable_path=chromium, args=args)
    yield started
    started.close()


def at_the_desk(
    browser: Browser, running: RunningHall, *, on: bool = True, name: str = "locutor"
) -> Person:
    """The caller at the page, with the voice on, and what it says written down."""
    caller = enter(browser, running, name)
    context = caller.page.context
    context.add_init_script(LISTEN)
    if on:  # asked of a page that is closed again
        caller.page.evaluate("localStorage.setItem('voice-on', 'yes')")
    caller.page.close()
    caller.page = context.new_page()  # in which nobody has pressed anything
    caller.page.goto(f"{running.url}/caller/")
    until(caller.page, "document.getElementById('connection').dataset.state === 'live'")
    return caller


def until(page: Page, what: str, *, seconds: float = 12) -> None:
    """Wait for something without pressing: what Playwright asks of a page counts as a press in it."""
    asking = page.context.new_cdp_session(page)
    end = time.monotonic() + seconds
    while not asking.send("Runtime.evaluate", {"expression": what})["result"].get("value"):
        assert time.monotonic() < end, what
        time.sleep(0.05)
    asking.detach()


def heard(caller: Person, *wanted: str) -> None:
    """Wait until the player has done exactly this."""
    end = time.monotonic() + 12
    while (done := caller.page.evaluate("heard")) != list(wanted):
        assert time.monotonic() < end, done
        caller.page.wait_for_timeout(50)


def ended(caller: Person, last: str) -> None:
    """Wait until the player has done this last."""
    end = time.monotonic() + 12
    while (done := caller.page.evaluate("heard"))[-1:] != [last]:
        assert time.monotonic() < end, done
        caller.page.wait_for_timeout(50)


def announce(evening: Evening, number: int) -> None:
    draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))


def drawing(running: RunningHall) -> Evening:
    """A game about to be drawn: no ball is out."""
    evening = Evening(hall=running.hall).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    return evening


def said(*names: str) -> list[str]:
    return [f"{what} pt/{name}.ogg" for name in names for what in ("playing", "ended")]


def test_each_ball_is_said_to_its_end_and_again_when_asked(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    announce(evening, 67)
    heard(caller, *said("67"))
    announce(evening, 5)
    announce(evening, 90)
    heard(caller, *said("67", "5", "90"))
    caller.page.keyboard.press("r")
    heard(caller, *said("67", "5", "90", "90"))
    caller.page.reload()
    caller.page.wait_for_timeout(800)
    heard(caller)  # an old number is not said again
    caller.page.keyboard.press("r")
    heard(caller, *said("90"))
    caller.picture("caller-voice")


def test_switched_off_nothing_is_said_and_louder_and_quieter_are_kept(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall, on=False)
    announce(evening, 12)
    expect(caller.page.locator(".ball--last")).to_have_text("12")
    caller.page.wait_for_timeout(500)
    heard(caller)
    caller.page.keyboard.press("v")
    expect(caller.page.locator("[data-voice=switch]")).to_have_attribute("aria-pressed", "true")
    caller.page.keyboard.press("-")
    caller.page.keyboard.press("-")
    expect(caller.page.locator("#voice output")).to_have_text("80 %")
    announce(evening, 13)
    heard(caller, *said("13"))
    caller.page.reload()
    expect(caller.page.locator("#voice output")).to_have_text("80 %")
    caller.page.keyboard.press("+")
    expect(caller.page.locator("#voice output")).to_have_text("90 %")


def test_training_speaks_only_when_told_to_and_says_that_it_is_training(
    speaking: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("session")
    caller = at_the_desk(speaking, running_hall)
    page = caller.page
    page.keyboard.press("Shift+F9")
    page.wait_for_url("**/training/**")
    page.goto(f"{running_hall.url}/training/practise/")
    page.keyboard.press("2")
    page.wait_for_url("**/training/caller/")
    caller.press("Space")
    number = page.locator(".ball--last").inner_text()
    page.wait_for_timeout(500)
    heard(caller, "draw")  # though the real hall's voice is on in this browser
    page.keyboard.press("v")
    page.wait_for_timeout(300)  # until it is agreed which page of the browser speaks
    page.keyboard.press("r")
    heard(caller, "draw", *said("training", number))
    page.goto(f"{running_hall.url}/caller/")
    expect(page.locator("[data-voice=switch]")).to_have_attribute("aria-pressed", "true")


@pytest.mark.rule(57)
def test_recalled_ball_is_cut_off_and_said_to_be_recalled(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    announce(evening, 78)
    caller.page.wait_for_timeout(300)
    draw.recall_ball(game=evening.game, number=78, **evening.who(Role.CALLER))
    ended(caller, "ended pt/recalled.ogg")
    assert caller.page.evaluate("heard")[-4:] == said("78", "recalled")


def test_clip_that_comes_too_late_is_not_played(
    speaking: Browser, running_hall: RunningHall
) -> None:
    """The number was taken back while its recording was still on its way."""
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    held = hold(caller.page, "44")
    announce(evening, 44)
    arrived(caller.page, held)
    draw.recall_ball(game=evening.game, number=44, **evening.who(Role.CALLER))
    announce(evening, 45)
    expect(caller.page.locator(".ball--last")).to_have_text("45")
    # What goes before "it is recalled" is said from another request, which may come only now.
    for route in held:
        route.continue_()
    caller.page.unroute("**/voice/pt/44.ogg")
    ended(caller, "ended pt/45.ogg")
    done = caller.page.evaluate("heard")
    assert done in (said("45"), said("44", "recalled", "45"), said("recalled", "45")), done


def hold(page: Page, name: str) -> list[Route]:
    """Keep a recording on its way."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(f"**/voice/pt/{name}.ogg", keep)
    return held


def arrived(page: Page, held: list[Route]) -> None:
    """Wait until the recording has been asked for."""
    end = time.monotonic() + 12
    while not held:
        assert time.monotonic() < end
        page.wait_for_timeout(50)


def test_asked_again_while_it_comes_it_is_said_once_and_no_trouble_told(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    held = hold(caller.page, "44")
    announce(evening, 44)
    arrived(caller.page, held)
    caller.page.keyboard.press("r")
    caller.page.keyboard.press("r")
    caller.page.wait_for_timeout(200)
    assert caller.page.evaluate("Voice.busy()") is True
    expect(caller.page.locator("[data-trouble=missing]")).to_be_hidden()
    caller.page.unroute("**/voice/pt/44.ogg")  # lets go what was held
    heard(caller, *said("44"))


def test_recording_that_cannot_be_had_is_told_and_never_another(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    caller.page.route("**/voice/pt/21.ogg", lambda route: route.abort())
    announce(evening, 21)
    expect(caller.page.locator("[data-trouble=missing]")).to_be_visible()
    caller.picture("caller-voice-missing")
    announce(evening, 22)
    expect(caller.page.locator("[data-trouble=missing]")).to_be_hidden()
    assert caller.page.evaluate("heard")[-1].endswith("pt/22.ogg")


def test_recording_that_never_comes_does_not_hold_the_draw(
    speaking: Browser, running_hall: RunningHall
) -> None:
    """Neither one that hangs, nor a sound that somebody stops with the computer's own keys."""
    evening = drawing(running_hall)
    caller = at_the_desk(speaking, running_hall)
    arrived_at = hold(caller.page, "21")
    announce(evening, 21)
    arrived(caller.page, arrived_at)
    assert caller.page.evaluate("Voice.busy()") is True
    expect(caller.page.locator("[data-trouble=missing]")).to_be_visible(timeout=15_000)
    assert caller.page.evaluate("Voice.busy()") is False
    announce(evening, 22)
    heard(caller, "playing pt/22.ogg")
    caller.page.evaluate("sound.pause()")
    until(caller.page, "!Voice.busy()")
    announce(evening, 23)
    ended(caller, "ended pt/23.ogg")


def test_browser_that_does_not_let_the_page_speak_is_told_how(
    browser: Browser, running_hall: RunningHall
) -> None:
    """A browser as it comes: nobody has pressed anything in the page."""
    evening = drawing(running_hall)
    caller = at_the_desk(browser, running_hall)
    announce(evening, 33)
    until(caller.page, "document.querySelector('[data-trouble=refused]').checkVisibility()")
    until(caller.page, "heard.length === 0 && !Voice.busy()")
    caller.page.keyboard.press("r")
    heard(caller, *said("33"))
    expect(caller.page.locator("[data-trouble=refused]")).to_be_hidden()


def test_of_two_pages_one_speaks_and_the_other_says_so(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = drawing(running_hall)
    first = at_the_desk(speaking, running_hall)
    page = first.page.context.new_page()
    page.goto(f"{running_hall.url}/caller/")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    announce(evening, 61)
    heard(first, *said("61"))
    expect(page.locator("[data-trouble=elsewhere]")).to_be_visible()
    first.page.close()
    announce(evening, 62)
    heard(Person(page, "locutor"), *said("62"))


def test_next_ball_of_the_rng_waits_for_the_voice(
    hurried: None, speaking: Browser, running_hall: RunningHall, static_folder: Path, settings: Any
) -> None:
    """However short the hall's interval: by key, by mouse and at the hall's own pace."""
    settings.RNG_DIR = static_folder / "rng"
    evening = Evening(hall=running_hall.hall)
    set_policy(
        hall=evening.hall, source="rng", interval=3, **evening.who(Role.HALL_MANAGER)
    )  # fmt: skip
    evening.reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    caller = at_the_desk(speaking, running_hall)
    button = caller.page.locator("#draw-form button")
    caller.page.keyboard.press("Space")
    until(caller.page, "heard.some((one) => one.startsWith('playing'))")
    for _ in range(3):
        caller.page.keyboard.press("Space")
        button.click(force=True)
        caller.page.evaluate("document.querySelector('#draw-form button').click()")
    assert caller.page.evaluate("Voice.busy()") is True
    assert evening.game.balls.count() == 1
    until(caller.page, "!Voice.busy()")
    caller.page.keyboard.press("a")
    until(caller.page, "heard.length >= 12", seconds=40)
    caller.page.keyboard.press("a")
    until(caller.page, "!Voice.busy()")
    done = caller.page.evaluate("heard")
    drawn = evening.game.balls.order_by("order").values_list("number", flat=True)
    wanted = [step for number in drawn for step in ("draw", *said(str(number)))]
    assert done[:12] == wanted[:12]


@pytest.mark.rule(46)
def test_hall_is_asked_and_the_question_is_cut_off_when_the_draw_goes_on(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("checked")
    caller = at_the_desk(speaking, running_hall)
    evening.reach("window")
    asked = evening.session.state["game"]["asked"]
    questions = said(*(f"more_{name}" for name in asked))
    assert questions
    heard(caller, *questions)
    caller.page.keyboard.press("r")
    heard(caller, *questions, *questions)
    evening.reach("awarded")
    until(caller.page, "document.getElementById('said').dataset.phase !== 'window'")
    caller.page.keyboard.press("r")
    caller.page.wait_for_timeout(500)
    assert "more" not in "".join(caller.page.evaluate("heard")[len(questions) * 2 :])


@pytest.mark.rule(46)
def test_second_question_is_asked_by_a_page_that_saw_nothing_between_the_two(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("stopped")
    caller = at_the_desk(speaking, running_hall)
    look_at(evening, "line")
    claims_services.open_window(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    heard(caller, *said("more_line"))
    with transaction.atomic():
        look_at(evening, "bingo")
        claims_services.close_window(game=evening.game, **evening.who(Role.TABLE_CHIEF))
        claims_services.open_window(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    heard(caller, *said("more_line", "more_bingo"))


def look_at(evening: Evening, combination: str) -> None:
    """Check the card that wins everything."""
    claims_services.check(
        game=evening.game, combination=combination, issue=evening.issue(), card=1, sound=True,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip


@pytest.mark.rule(72)
def test_letter_is_said_before_a_number_of_seventy_five(
    speaking: Browser, running_hall: RunningHall
) -> None:
    evening = Evening("setenta", format=75).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    person = evening.person(Role.CALLER)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    caller = at_the_desk(speaking, running_hall, name=person.username)
    announce(evening, 75)
    heard(caller, *said("letter_o", "75"))
    announce(evening, 1)
    heard(caller, *said("letter_o", "75", "letter_b", "1"))


@pytest.mark.rule(54)
def test_every_clip_is_sound_of_some_seconds(browser: Browser, running_hall: RunningHall) -> None:
    page = browser.new_page()
    page.goto(running_hall.url)
    paths = [f"/static/voice/{one}/{name}.ogg" for one in LANGUAGES for name in clips(one)]
    assert len(paths) == len(set(paths)) > len(LANGUAGES) * 90
    for path, seconds, loudest in page.evaluate(DECODE, paths):
        assert 0.3 < seconds < 6, path
        assert loudest > 0.05, path

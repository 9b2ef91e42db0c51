"""Every hour of an acta is one instant: with its date after midnight, its offset on a night of two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from bingo.pdf import kit, pdfa
from draws.record.acta import document, labels
from draws.record.acta.draw_section import HEIGHT, LINE, Balls
from draws.record.acta.session_values import ClockValues
from draws.record.acta.values import ActaValues
from tests.support import acta_values, whole_evening
from tests.support.acta_texts import text
from tests.support.acta_values import OPENED

# The clock of Spain and Portugal goes back at 01:00 UTC of 25 October 2026.
AUTUMN = datetime(2026, 10, 25, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def moved(values: Any, to: Callable[[datetime], datetime]) -> Any:
    """Return values with each of their instants put elsewhere."""
    if isinstance(values, datetime):
        return to(values)
    if isinstance(values, tuple):
        return tuple(moved(each, to) for each in values)
    if is_dataclass(values) and not isinstance(values, type):
        named = {each.name: moved(getattr(values, each.name), to) for each in fields(values)}
        return replace(values, **named)
    return values


def night(zone: str, *, games: int = 4, first: datetime = AUTUMN) -> ActaValues:
    """Return an evening whose second game is drawn while the clock goes from `first` on."""
    here = ZoneInfo(zone)
    second = acta_values.acta(games).games[1].balls[4].at
    shift = first - second.astimezone(UTC)
    put: ActaValues = moved(
        acta_values.acta(games), lambda at: (at.astimezone(UTC) + shift).astimezone(here)
    )
    return put


@pytest.mark.slow
@pytest.mark.rule(61)
@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        ("Europe/Madrid", "25/10 02:59:56 +02:00", "25/10 02:00:16 +01:00"),
        ("Europe/Lisbon", "25/10 01:59:56 +01:00", "25/10 01:00:16 +00:00"),
    ],
)
def test_acta_of_the_night_the_clock_goes_back_tells_its_two_hours_apart(
    zone: str, before: str, after: str
) -> None:
    values = night(zone)
    values = replace(
        values,
        clock=ClockValues("server", ()),
        opened_at=values.opened_at - timedelta(hours=6),
        games=(
            values.games[0],
            replace(values.games[1], balls=values.games[1].balls[3:9]),
            *values.games[2:],
        ),
    )
    printed = text(document.draw(values))
    assert f"from {before} to {after}" in printed
    zones = labels.zones(values, labels.writing(values))
    east, west = before[-6:], after[-6:]
    assert zones == f"UTC{east} → UTC{west}"
    assert printed.count(zones) == 2  # of the session, and of the clock
    # No hour of the whole night stands without its offset: the balls have it under theirs.
    for told in (before, after):
        day, hour, offset = told.split()
        assert f"{hour} {day} {offset}" in printed


@pytest.mark.rule(61)
def test_hours_of_that_night_are_all_different_in_print() -> None:
    values = night("Europe/Madrid")
    writing = labels.writing(values)
    moments = {ball.at.astimezone(UTC) for game in values.games for ball in game.balls}
    told = {writing.hour(at.astimezone(ZoneInfo("Europe/Madrid"))) for at in moments}
    assert len(told) == len(moments)
    bare = {f"{at.astimezone(ZoneInfo('Europe/Madrid')):%d/%m %H:%M:%S}" for at in moments}
    assert len(bare) <= len(moments)


@pytest.mark.slow
@pytest.mark.rule(61)
@pytest.mark.parametrize("zone", ["Atlantic/Cape_Verde", "Europe/Madrid"])
def test_acta_of_any_other_night_names_its_offset_once(zone: str) -> None:
    values = night(zone, first=AUTUMN + timedelta(days=7, hours=-6))
    assert not labels.writing(values).offsets
    assert "→ UTC" not in text(document.draw(values))


@pytest.mark.rule(61)
def test_cape_verde_has_one_offset_in_that_night_too() -> None:
    assert not labels.writing(night("Atlantic/Cape_Verde")).offsets


@pytest.mark.slow
@pytest.mark.rule(61)
def test_hours_after_midnight_have_their_date_and_those_before_have_none() -> None:
    printed = text(document.draw(whole_evening.acta(1)))
    assert "21/11 04:56:00" in printed  # the till counted
    assert "20/11" not in printed
    assert "20:08:00" in printed


@pytest.mark.rule(61)
def test_evening_that_ends_before_midnight_has_no_dates_beside_its_hours() -> None:
    values = replace(acta_values.acta(2), closed_at=OPENED + timedelta(hours=3))
    writing = labels.writing(values)
    assert (writing.evening, writing.offsets) == (None, False)
    assert kit.hour_width(writing) == kit.HOUR


@pytest.mark.slow
@pytest.mark.rule(61)
def test_balls_of_a_game_past_midnight_have_their_date_under_their_hour() -> None:
    values = night("Atlantic/Cape_Verde", first=datetime(2026, 11, 21, 1, tzinfo=UTC))
    writing = labels.writing(values)
    across, after = values.games[1].balls, values.games[2].balls
    parted, whole = Balls(across, writing), Balls(after, writing)
    assert parted.row_height == HEIGHT + LINE
    assert parted.under[:5] == [[], [], [], [], ["21/11"]]
    # All of one date: the caption tells it.
    assert whole.row_height == HEIGHT
    assert f"from 21/11 {after[0].at:%H:%M:%S}" in text(document.draw(values))


@pytest.mark.slow
def test_acta_made_under_another_offset_says_so() -> None:
    values = night("Europe/Madrid", first=AUTUMN - timedelta(hours=6))
    late = replace(values, made_at=values.made_at.astimezone(UTC) + timedelta(hours=9))
    late = replace(late, made_at=late.made_at.astimezone(ZoneInfo("Europe/Madrid")))
    assert "+01:00" in text(document.draw(late)).split("Made on")[1]


@pytest.mark.slow
def test_data_of_that_night_keep_every_instant_as_it_was() -> None:
    values = night("Europe/Madrid")
    told = pdfa.attachment(document.draw(values))
    ats = [datetime.fromisoformat(ball["at"]) for ball in told["games"][1]["balls"]]
    assert [at.astimezone(UTC) for at in ats] == [
        ball.at.astimezone(UTC) for ball in values.games[1].balls
    ]
    assert {at.utcoffset() for at in ats} == {timedelta(hours=1), timedelta(hours=2)}


@pytest.mark.parametrize("zone", ["Atlantic/Cape_Verde", "Europe/Madrid"])
@pytest.mark.slow
def test_what_coins_leave_over_is_told_after_midnight_too(zone: str) -> None:
    values = night(zone)
    [game, *others] = values.games
    won = tuple(replace(each, left_over=12) for each in game.winners)
    told = replace(values, games=(replace(game, winners=won), *others), languages=("pt", "es"))
    pages = text(document.draw(told))
    for each in won:
        over = labels.writing(told).amount(each.amount - each.tax - each.left_over)
        assert over in pages

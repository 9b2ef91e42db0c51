"""Every number and phrase has a clip in each language, and is made the same again."""

import shutil
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.management import call_command

from bingo.rules import formats, rulebooks
from draws.boards.voice_clips import LANGUAGES, clips, draw
from draws.management.commands.make_voice_clips import LIST

FOLDER = Path(__file__).parents[2] / "static" / "voice"
MOST_BYTES = 6_000_000


@pytest.mark.rule(31)
@pytest.mark.rule(54)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_and_phrase_has_a_clip(language: str) -> None:
    """No clip is missing, and none is there that nobody says."""
    there = {file.stem for file in (FOLDER / language).glob("*.ogg")}
    assert there == set(clips(language))
    for played in (90, 80, 75, 30):
        assert {str(number) for number in formats.get_format(played).numbers} <= there


@pytest.mark.rule(46)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", rulebooks.RULEBOOKS)
def test_phrases_are_those_of_every_rulebook(code: str, language: str) -> None:
    """No law's words are said in a hall of another."""
    said, speech = clips(language), rulebooks.get(code).speeches[language]
    for cards in (speech.single, speech.double):
        assert said[draw(code)] == cards.draw_opening
        assert said["last_game"] == cards.last_game
        assert {name: said[f"more_{name}"] for name in cards.more} == dict(cards.more)


@pytest.mark.rule(57)
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt", "Fica sem efeito."),
        ("es", "Queda sin efecto."),
        ("gl", "Queda sen efecto."),
        ("ca", "Queda sense efecte."),
    ],
)
def test_annulled_ball_is_said_to_be_so(language: str, said: str) -> None:
    assert clips(language)["recalled"] == said
    assert (FOLDER / language / "recalled.ogg").stat().st_size > 0


@pytest.mark.rule(46)
def test_questions_are_the_laws_own_words() -> None:
    """Portaria 1/2017, rule 46, and the Orden of 1979, IV, letter by letter."""
    asked = {one: clips(one) for one in ("pt", "es")}
    assert asked["pt"]["more_line"] == "Mais alguma linha?"
    assert asked["pt"]["more_bingo"] == "Mais algum bingo?"
    assert asked["es"]["more_line"] == "¿Alguna línea más?"
    assert asked["es"]["more_bingo"] == "¿Algún bingo más?"


def test_clips_are_small() -> None:
    """All together stay under 6 MB."""
    assert 0 < sum(file.stat().st_size for file in FOLDER.rglob("*.ogg")) < MOST_BYTES


def test_every_clip_is_the_one_that_was_recorded_and_no_other() -> None:
    """A clip in another's place would say a number that nobody sees."""
    listed = [line.split("  ") for line in (FOLDER / LIST).read_text().splitlines()]
    there = {str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*.ogg")}
    assert {name for _digest, name in listed} == there
    for digest, name in listed:
        assert sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name
    for language in LANGUAGES:
        digests = [digest for digest, name in listed if name.startswith(f"{language}/")]
        assert len(digests) == len(set(digests)) == len(clips(language))


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("espeak-ng") and shutil.which("ffmpeg")), reason="needs the synthesiser"
)
def test_clips_are_made_the_same_again(tmp_path: Path) -> None:
    """Two clips recorded twice have the same bytes; another clip has others."""
    for folder in ("one", "two"):
        call_command("make_voice_clips", to=tmp_path / folder, language=["pt"], clip=["67", "77"])
    one, two = ((tmp_path / folder / "pt" / "67.ogg").read_bytes() for folder in ("one", "two"))
    assert one == two
    assert one != (tmp_path / "one" / "pt" / "77.ogg").read_bytes()


def test_sixty_seven_is_followed_by_its_digits() -> None:
    """A number of two digits is said whole and then digit by digit."""
    assert clips("pt")["67"] == "67, 6 7."
    assert clips("gl")["67"] == "sesenta e sete, seis sete."
    assert clips("pt")["7"] == "7."

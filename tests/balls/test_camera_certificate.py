"""A camera's certificate says what it was measured on, what it found, and is the same each time."""

import subprocess
from dataclasses import replace

import pytest

from draws.balls.camera_certificate import CameraCertificate, certificate
from draws.balls.vision.enrolment import BUILT_IN
from tests.support.camera_certificate import measured, values


def text(told: CameraCertificate) -> str:
    command = ["pdftotext", "-layout", "-", "-"]
    done = subprocess.run(command, input=certificate(told), capture_output=True, check=True)
    return " ".join(done.stdout.decode().replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize(
    "said",
    [
        "Certificate of camera Saída", "Sala de Bingo", "T-30", "rtsp://192.168.1.30/exit",
        f"from a confidence of {BUILT_IN / 10}% upwards", "The set prints 6 as 6.", "is seen on every ball",
        "right number of 58 of 60 pictures", "Shown by Ana Lima", "Official or engineer",
    ],
)  # fmt: skip
def test_certificate_says_what_was_measured(said: str) -> None:
    assert said in text(values())


def test_certificate_names_pairs_and_the_raised_threshold() -> None:
    told = text(replace(values(), measured=measured(900)))
    assert "11 as 17: 1 picture" in told
    assert "90.1%" in told
    assert "raised above the usual one" in told


def test_certificate_forbids_what_no_threshold_holds_back() -> None:
    assert "No ball of this set may be announced by itself" in text(
        replace(values(), measured=measured(1000))
    )


def test_certificate_is_silent_of_a_comparison_that_was_not_made() -> None:
    assert "second reader" not in text(replace(values(), compared=0, alike=0))


def test_certificate_without_pictures_is_made_all_the_same() -> None:
    assert "T-30" in text(replace(values(), pictures={}))


@pytest.mark.slow
def test_same_values_give_the_same_bytes() -> None:
    assert certificate(values()) == certificate(values())

"""How sure the reader must be is chosen by what other limits would let through."""

import subprocess
import sys

import numpy as np
import pytest

from draws.balls.vision.network import Glance
from draws.balls.vision.network_training.examination import choices
from draws.balls.vision.network_training.trial import ShownAct
from draws.balls.vision.rendering.scene import Act
from draws.balls.vision.rendering.style import FEWEST, training_fonts
from draws.balls.vision.verdict import FROZEN


def _shown(truth: int, read: int, sure: float) -> ShownAct:
    weights = np.zeros(100)
    weights[read] = sure
    glance = Glance(read, sure, None, 0.0, 0.0, 0.0, weights)
    return ShownAct(Act("ball", truth), False, None, "low", (glance,) * 3)


def test_limits_that_let_nothing_wrong_through_come_first_and_of_these_the_widest() -> None:
    shown = [_shown(24, 24, 0.92), _shown(35, 35, 0.82), _shown(72, 2, 0.78)]
    found = choices(shown, format=90)
    assert (found[0].wrong, found[0].read, found[0].limits.sure) == (0, 2 / 3, 0.8)
    assert found[-1].wrong == 1
    assert found[-1].limits.sure < 0.78


@pytest.mark.slow
@pytest.mark.skipif(len(training_fonts()) < FEWEST, reason="the typefaces are not installed")
def test_examination_tells_the_limits_in_use_first() -> None:
    command = [
        sys.executable,
        "-m",
        "draws.balls.vision.network_training.examination",
        "--balls",
        "40",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    head, used, *_others = done.stdout.splitlines()
    assert head.split() == ["sure", "doubt", "marked", "read", "wrong"]
    limits = [float(word) for word in used.split()[:3]]
    assert limits == [FROZEN.sure, FROZEN.doubt, FROZEN.marked]

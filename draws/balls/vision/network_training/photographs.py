"""Tune the networks of the second look with photographs of real balls, and judge them by leaving out.

The photographs are no part of the project: a folder is named with `labels.csv` (file, number, photo),
and none of it is kept but what the networks learn. To judge, each photograph is left out in turn: its
balls are read by networks that were tuned with all others. Which way up a ball lies is not written
down; the network that is tuned finds it, since it is told the number.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from draws.balls.vision.network import Glance, Scores
from draws.balls.vision.network_training import samples
from draws.balls.vision.network_training.judging import NOTHING
from draws.balls.vision.network_training.networks import Subject, learn
from draws.balls.vision.network_training.samples import Gathered
from draws.balls.vision.rendering.photographed import UNSURE, RealBall
from draws.balls.vision.second_look import SecondLook
from draws.balls.vision.values import Picture

SURE = 0.15  # share of the true number from which the angle found for it is believed
STEPS, SIZE, REAL = 200, 128, 40  # steps of tuning, pictures of each, of these photographs
FASTEST = 3e-4


class Taught(SecondLook):
    """A second look by networks that are being taught."""

    def __init__(self, networks: Sequence[nn.Module]) -> None:
        """Take the networks instead of their files."""
        self._networks = [_Asked(network) for network in networks]  # type: ignore[misc]
        self._zeros = False


class _Asked:
    def __init__(self, network: nn.Module) -> None:
        self._network = copy.deepcopy(network).eval()

    def look(self, pictures: NDArray[np.float32]) -> Scores:
        with torch.no_grad():
            return np.asarray(self._network(torch.from_numpy(pictures)).numpy(), np.float64)


def tuned(
    network: nn.Module,
    subject: Subject,
    rendered: Gathered,
    balls: Sequence[RealBall],
    *,
    seed: int,
) -> nn.Module:
    """Return a copy of a network tuned with photographs among rendered pictures."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    real, photographs = _gathered(network, balls)
    both = samples.joined(rendered, real)
    first = len(rendered.numbers)
    made = copy.deepcopy(network).train()
    made.to(memory_format=torch.channels_last)
    learner = torch.optim.AdamW(made.parameters(), lr=FASTEST, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(learner, STEPS)
    # Each photograph as often as any other, however many balls it shows.
    often = Counter(photographs)
    weights = np.array([1 / often[each] for each in photographs])
    for _step in range(STEPS):
        chosen = np.concatenate(
            [
                rng.integers(0, first, SIZE - REAL),
                first + rng.choice(len(photographs), REAL, p=weights / weights.sum()),
            ]
        )
        learn(made, subject, subject.batch(both, chosen, rng), learner)
        pace.step()
    return made.eval()


def _gathered(network: nn.Module, balls: Sequence[RealBall]) -> tuple[Gathered, list[str]]:
    """Return the photographs whose angle is found as samples, and the name of each one's photograph."""
    look = Taught([network])
    found = []
    for ball in balls:
        if UNSURE in ball.number:
            continue
        centre, radius = ball.spot
        angle, share = look.angle_of(ball.picture, int(ball.number), centre=centre, radius=radius)
        if share >= SURE:
            found.append((ball, angle))
    count = len(found)
    # Other prints of a ball may stand upright at any angle: where its own does not, nothing is taught.
    everywhere = np.arange(samples.MOST_OTHERS) * 360.0 / samples.MOST_OTHERS
    gathered = Gathered(
        np.stack([_cut(ball) for ball, _angle in found]),
        np.array([int(ball.number) for ball, _angle in found], np.int16),
        np.array([angle for _ball, angle in found], np.float32),
        np.zeros(count, np.bool_),
        np.zeros(count, np.bool_),
        np.tile(everywhere, (count, 1)).astype(np.float32),
        np.tile(np.eye(3, dtype=np.float32), (count, 1, 1)),
        np.full(count, 0.5, np.float32),
        np.zeros(count, np.float32),
    )
    return gathered, [ball.photograph for ball, _angle in found]


def _cut(ball: RealBall) -> Picture:
    """Return a ball as large as the samples are."""
    (x, y), radius = ball.spot
    scale = samples.RADIUS / radius
    small = cv2.resize(ball.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    off = (samples.SIDE - 1) / 2
    moved = np.array([[1, 0, off - x * scale], [0, 1, off - y * scale]], np.float32)
    size = (samples.SIDE, samples.SIDE)
    return np.asarray(cv2.warpAffine(small, moved, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def left_out(
    networks: Sequence[nn.Module],
    subject: Subject,
    rendered: Gathered,
    balls: Sequence[RealBall],
    *,
    seed: int,
) -> list[list[Glance]]:
    """Return what each ball is read as by networks tuned with every photograph but its own."""
    found: dict[int, list[Glance]] = {}
    for left in sorted({ball.photograph for ball in balls}):
        others = [ball for ball in balls if ball.photograph != left]
        look = Taught([tuned(each, subject, rendered, others, seed=seed) for each in networks])
        for place, ball in enumerate(balls):
            if ball.photograph == left:
                centre, radius = ball.spot
                found[place] = look.look(ball.picture, centre=centre, radius=radius, first=NOTHING)
    return [found[place] for place in range(len(balls))]

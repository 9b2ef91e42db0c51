"""The two networks as they are trained, and how they are taught and written to files.

They are small enough to look many times within a blink. Weights are stored in half as many bits: a
file of half the size, widened when it is loaded.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from draws.balls.vision import facing
from draws.balls.vision.network import TENS, UNITS
from draws.balls.vision.network_training.samples import Gathered

PLACED = 5  # upright, how far askew, the middle's two parts, how tall
READ = TENS + UNITS + 2


class _Network(nn.Module):
    """What is `seen` of pictures, and what is `told` of it."""

    seen: nn.Sequential
    told: nn.Sequential

    def forward(self, pictures: Tensor) -> Tensor:
        """Look at the pictures."""
        scores: Tensor = self.told(self.seen(pictures))
        return scores


class Locator(_Network):
    """Balls (n, 3, 48, 48) in; out (n, PLACED), the first raw, the others as `lessons` scales them."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            layer(3, 16, 5, stride=2),
            layer(16, 32, 3),
            nn.MaxPool2d(2),
            layer(32, 56, 3),
            nn.MaxPool2d(2),
            layer(56, 80, 3),
            layer(80, 48, 3),
            nn.Flatten(),
        )
        self.told = _head(48 * (facing.TURNING_SIDE // 8) ** 2, 64, PLACED)


class Reader(_Network):
    """Reads a number that faces it.

    Numbers (n, 1, 40, 40) in; out (n, READ): the raw scores of the tens (the last one for none),
    of the units, of being upright, whole and legible, and of a mark at the foot.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen = nn.Sequential(
            layer(1, 24, 5, stride=2),
            layer(24, 40, 3),
            nn.MaxPool2d(2),
            layer(40, 64, 3),
            layer(64, 64, 3),
            nn.MaxPool2d(2),
            layer(64, 64, 3),
            nn.Flatten(),
        )
        self.told = _head(64 * (facing.SIDE // 8) ** 2, 72, READ)


def _head(places: int, width: int, out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Dropout(0.1), nn.Linear(places, width), nn.ReLU(inplace=True), nn.Linear(width, out)
    )


def layer(into: int, out: int, size: int, *, stride: int = 1) -> nn.Sequential:
    """Return a convolution of `size` pixels from `into` planes to `out`, evened and cut at 0."""
    return nn.Sequential(
        nn.Conv2d(into, out, size, stride=stride, padding=size // 2, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )


LEAST = 256  # weights; fewer are not worth a node


def halved(path: Path) -> None:
    """Write an ONNX file anew with its large tables of weights as 16-bit floats.

    What is told from them differs by less than a thousandth: sixteen bits hold three digits, and no
    weight of these networks is near the largest that they hold.
    """
    model = onnx.load(str(path))
    graph = model.graph
    widened = []
    for table in list(graph.initializer):
        values = numpy_helper.to_array(table)
        if values.dtype != np.float32 or values.size < LEAST:
            continue
        name = f"{table.name}_half"
        widened.append(helper.make_node("Cast", [name], [table.name], to=TensorProto.FLOAT))
        graph.initializer.remove(table)
        graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), name))
    nodes = [*widened, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


SIZE = 128  # pictures of a step


@dataclass(frozen=True, slots=True)
class Subject:
    """What is taught: how a lesson is made, how wrong the scores are, the share that is right.

    `fastest` is the learning rate at its height.
    """

    batch: Callable[[Gathered, NDArray[np.int64], np.random.Generator], Any]
    wrong: Callable[[Tensor, Any], Tensor]
    right: Callable[[Tensor, Any], float]
    fastest: float


def teach(
    network: nn.Module,
    subject: Subject,
    gathered: Gathered,
    *,
    epochs: int,
    seed: int,
    tell: Callable[[str], None],
) -> None:
    """Teach a network `epochs` times with every picture."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network.to(memory_format=torch.channels_last)
    steps = len(gathered.numbers) // SIZE
    learner = torch.optim.AdamW(network.parameters(), lr=subject.fastest, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.OneCycleLR(
        learner, subject.fastest, total_steps=epochs * steps, pct_start=0.1, final_div_factor=1000
    )
    started = time.monotonic()
    for epoch in range(1, epochs + 1):
        sums = np.zeros(2)
        for chosen in _order(len(gathered.numbers), rng):
            lesson = subject.batch(gathered, chosen, rng)
            sums += learn(network, subject, lesson, learner)
            pace.step()
        loss, right = sums / steps
        seconds = time.monotonic() - started
        tell(f"epoch {epoch} of {epochs}: loss {loss:.4f}, right {right:.4f}, {seconds:.0f} s")
    network.eval()


def _order(count: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    order = rng.permutation(count)
    for start in range(0, count - SIZE + 1, SIZE):
        yield np.sort(order[start : start + SIZE])


def learn(
    network: nn.Module, subject: Subject, lesson: Any, learner: torch.optim.Optimizer
) -> tuple[float, float]:
    """Take one step: the loss, and the share that is right."""
    # In half as many bits a step takes half as long; the weights themselves stay whole.
    with torch.autocast("cpu", torch.bfloat16):
        scores = network(lesson.pictures.contiguous(memory_format=torch.channels_last)).float()
    fault = subject.wrong(scores, lesson)
    learner.zero_grad(set_to_none=True)
    fault.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 2.0)
    learner.step()
    return float(fault.detach()), subject.right(scores.detach(), lesson)


def write_lesson(network: nn.Module, shape: tuple[int, int, int], path: Path) -> None:
    """Write a network as ONNX that takes any number of pictures of that shape at once."""
    torch.onnx.export(
        copy.deepcopy(network).eval().to(memory_format=torch.contiguous_format),
        (torch.zeros(2, *shape),),
        str(path),
        input_names=["pictures"],
        output_names=["scores"],
        dynamic_axes={"pictures": {0: "n"}, "scores": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    halved(path)

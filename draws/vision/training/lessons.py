"""Teaches a network, and writes it as the file that the reader runs."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from draws.vision.training.gather import Gathered
from draws.vision.training.halving import halved

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
            sums += _learn(network, subject, lesson, learner)
            pace.step()
        loss, right = sums / steps
        seconds = time.monotonic() - started
        tell(f"epoch {epoch} of {epochs}: loss {loss:.4f}, right {right:.4f}, {seconds:.0f} s")
    network.eval()


def _order(count: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    order = rng.permutation(count)
    for start in range(0, count - SIZE + 1, SIZE):
        yield np.sort(order[start : start + SIZE])


def _learn(
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


def write(network: nn.Module, shape: tuple[int, int, int], path: Path) -> None:
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

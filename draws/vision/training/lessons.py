"""Teaches the network, and writes it as the file that the reader runs."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from draws.vision.network import SIDE, TENS, UNITS
from draws.vision.training.batches import IGNORED, SIZE, Batch, batches
from draws.vision.training.gather import Gathered
from draws.vision.training.network import Reader

FASTEST = 2e-3  # the learning rate at its height
SMOOTHING = 0.03


def teach(
    gathered: Gathered,
    *,
    epochs: int,
    seed: int,
    tell: Callable[[str], None],
    keep: Callable[[Reader], None],
) -> None:
    """Teach a network `epochs` times with every picture; `keep` is given it after each."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    reader = Reader().to(memory_format=torch.channels_last)
    steps = len(gathered.numbers) // SIZE
    learner = torch.optim.AdamW(reader.parameters(), lr=FASTEST, weight_decay=0.02)
    pace = torch.optim.lr_scheduler.OneCycleLR(
        learner, FASTEST, total_steps=epochs * steps, pct_start=0.1, final_div_factor=1000
    )
    started = time.monotonic()
    for epoch in range(1, epochs + 1):
        sums = np.zeros(2)
        for batch in batches(gathered, rng):
            sums += _learn(reader, batch, learner)
            pace.step()
        loss, right = sums / steps
        seconds = time.monotonic() - started
        tell(f"epoch {epoch} of {epochs}: loss {loss:.4f}, right {right:.4f}, {seconds:.0f} s")
        keep(reader)


def _learn(reader: Reader, batch: Batch, learner: torch.optim.Optimizer) -> tuple[float, float]:
    """Take one step: the loss, and the share of numbers read right."""
    scores = reader(batch.pictures.contiguous(memory_format=torch.channels_last))
    fault = wrong(scores, batch)
    learner.zero_grad(set_to_none=True)
    fault.backward()
    nn.utils.clip_grad_norm_(reader.parameters(), 2.0)
    learner.step()
    told = batch.tens != IGNORED
    tens = scores[told, :TENS].argmax(1) == batch.tens[told]
    units = scores[told, TENS : TENS + UNITS].argmax(1) == batch.units[told]
    return float(fault.detach()), float((tens & units).float().mean())


def wrong(scores: Tensor, batch: Batch) -> Tensor:
    """Give how wrong the scores are, of what may be judged."""
    tens = functional.cross_entropy(
        scores[:, :TENS], batch.tens, ignore_index=IGNORED, label_smoothing=SMOOTHING
    )
    units = functional.cross_entropy(
        scores[:, TENS : TENS + UNITS], batch.units, ignore_index=IGNORED, label_smoothing=SMOOTHING
    )
    upright, marked = scores[:, TENS + UNITS], scores[:, TENS + UNITS + 1]
    return tens + units + _told(upright, batch.upright) + 0.3 * _told(marked, batch.marked)


def _told(scores: Tensor, truth: Tensor) -> Tensor:
    judged = truth >= 0
    return functional.binary_cross_entropy_with_logits(scores[judged], truth[judged])


def write(reader: Reader, path: Path) -> None:
    """Write the network as ONNX, any number of pictures at once."""
    reader.eval()
    torch.onnx.export(
        copy.deepcopy(reader).to(memory_format=torch.contiguous_format),
        (torch.zeros(2, 3, SIDE, SIDE),),
        str(path),
        input_names=["pictures"],
        output_names=["scores"],
        dynamic_axes={"pictures": {0: "n"}, "scores": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    reader.train()

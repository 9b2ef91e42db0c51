"""The trained networks: one finds where a number stands on a ball, the others read it there."""

from __future__ import annotations

import os
from pathlib import Path

# From 1.29 on the library tells its maker of every network that is loaded, unless this stands there
# before it is: what a hall does is nobody's business.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnxruntime
from numpy.typing import NDArray

Scores = NDArray[np.float64]

FOLDER = Path(__file__).parent
LOCATOR = FOLDER / "locator.onnx"
# Taught apart: what one takes for another number, in a typeface that is new to it, the next does not.
READERS = tuple(FOLDER / f"reader{each}.onnx" for each in (1, 2, 3))
TENS = 11  # 0 to 9, and none
UNITS = 10


class Network:
    """Looks at many pictures at once, on one core."""

    def __init__(self, model: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )

    def look(self, pictures: NDArray[np.float32]) -> Scores:
        """Give the scores (n, …) for pictures (n, 3, side, side)."""
        (scores,) = self._session.run(None, {"pictures": pictures})
        return np.asarray(scores, np.float64)

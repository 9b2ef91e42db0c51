"""What the networks' library may not do: tell its maker of a hall."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from draws.balls.vision.reader import LOCATOR

ALONE = """
import onnxruntime
onnxruntime.InferenceSession({model!r}, providers=["CPUExecutionProvider"])
"""
OURS = """
from pathlib import Path
from draws.balls.vision.network import Network
Network(Path({model!r}))
"""


@pytest.mark.parametrize(("program", "known"), [(OURS, False), (ALONE, True)])
def test_library_keeps_no_identity_of_this_machine_to_report_by(
    tmp_path: Path, program: str, known: bool
) -> None:
    # It is silent by itself where a build runs, which a hall is not.
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    command = [sys.executable, "-c", program.format(model=str(LOCATOR))]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)
    assert any(file.name == "deviceid" for file in tmp_path.rglob("*")) is known

"""A bingo hall's evening, from the sale of cards to the sealed acta.

What `.env` sets holds for every program of the hall, however it is started; what the environment
sets comes first. Tests are no hall's program; what `serve` starts is given what it may know.
"""

import os
from pathlib import Path

from dotenv import load_dotenv

if not {"PYTEST_VERSION", "BINGO_SERVED"} & os.environ.keys():
    load_dotenv(Path(__file__).resolve().parent.parent / ".env")


def setting(name: str, default: str = "") -> str:
    """Return what the environment says, `default` where a name is blank there as where it is not."""
    said = os.environ.get(name, "")
    return said if said.strip() else default

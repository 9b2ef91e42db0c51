"""A bingo hall's evening, from the sale of cards to the sealed acta.

What `.env` sets holds for every program of the hall, however it is started; what the environment
sets comes first. Tests are no hall's program.
"""

import os
from pathlib import Path

from dotenv import load_dotenv

if "PYTEST_VERSION" not in os.environ:
    load_dotenv(Path(__file__).resolve().parent.parent / ".env")

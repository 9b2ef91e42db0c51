"""python -m draws.rng FOLDER: the process that draws the numbers, with nothing but Python."""

import sys
from pathlib import Path

from draws.rng.server import run

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m draws.rng FOLDER")
    sys.exit(run(Path(sys.argv[1])))

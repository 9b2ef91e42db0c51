"""python -m draws.sources FOLDER: the process that draws the numbers, with nothing but Python."""

import sys
from pathlib import Path

from draws.sources.server import run

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m draws.sources FOLDER")
    sys.exit(run(Path(sys.argv[1])))

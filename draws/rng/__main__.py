"""python -m draws.rng FOLDER [DESCRIPTOR]: the process that draws the numbers, with nothing but Python."""

import sys
from pathlib import Path

from draws.rng.server import run

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or not "".join(sys.argv[2:] or "0").isdecimal():
        sys.exit("python -m draws.rng FOLDER [DESCRIPTOR]")
    sys.exit(run(Path(sys.argv[1]), kept=int(sys.argv[2]) if sys.argv[2:] else None))

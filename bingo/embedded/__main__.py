"""The supervisor's command line: `python -m bingo.embedded FOLDER SERVER…`."""

import sys
from pathlib import Path

from bingo.embedded.folder import EmbeddedError, Folder
from bingo.embedded.supervisor import supervise

if __name__ == "__main__":
    try:
        supervise(Folder(Path(sys.argv[1])), sys.argv[2:])
    except EmbeddedError as error:
        sys.exit(str(error))

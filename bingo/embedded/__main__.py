"""The supervisor's command line: `python -m bingo.embedded [--not-durable] FOLDER SERVER…`."""

import sys
from pathlib import Path

from bingo.embedded.folder import NOT_DURABLE, EmbeddedError, Folder
from bingo.embedded.supervisor import supervise

if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != NOT_DURABLE]
    try:
        supervise(Folder(Path(words[0]), durable=NOT_DURABLE not in sys.argv), words[1:])
    except EmbeddedError as error:
        sys.exit(str(error))

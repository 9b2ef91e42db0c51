"""Run the offline verifier: python3 -m draws.record.verifier, or the inspector page's one file."""

import sys


def start() -> None:
    """Run the verifier, or say which library is missing."""
    try:
        from draws.record.verifier.command import main  # it needs the library, this file does not
    except ModuleNotFoundError as missing:
        if missing.name != "cryptography":
            raise
        sys.exit("cryptography is not installed: python3 -m pip install cryptography")
    sys.exit(main())


if __name__ == "__main__":
    start()

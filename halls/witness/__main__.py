"""Run the witness: python3 -m halls.witness, or the inspector page's one file."""

import sys

from halls.witness.command import main

if __name__ == "__main__":
    sys.exit(main())

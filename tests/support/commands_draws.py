"""What the tests of commands draws share with others."""

import json
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command


def said(*arguments: str) -> tuple[int, str]:
    """Return a command's exit code and what it prints."""
    out, code = StringIO(), 0
    try:
        call_command(*arguments, stdout=out)
    except SystemExit as ended:
        code = int(str(ended.code))
    except CommandError as error:
        return 1, str(error)
    return code, out.getvalue()


def values(*arguments: str) -> tuple[int, Any]:
    """Return a command's exit code and its JSON value."""
    code, out = said(*arguments, "--json")
    return code, json.loads(out)

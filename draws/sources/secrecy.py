"""What keeps a process's memory its own: no core, no look from outside, no values in a complaint."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from types import TracebackType

SET_DUMPABLE = 4  # PR_SET_DUMPABLE of prctl(2)
LOCK_ALL = 1 | 2  # MCL_CURRENT | MCL_FUTURE of mlock(2)


def keep() -> None:
    """Close this process for good. Raises OSError when the kernel refuses."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    library = ctypes.CDLL(None, use_errno=True)
    # Neither a debugger nor /proc/…/mem of the same user any more.
    if library.prctl(SET_DUMPABLE, 0, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    # Out of the swap too, where the hall's user may lock whatever he has: with less, a thread's
    # stack could not be had later.
    _soft, most = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if most == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (most, most))
        library.mlockall(LOCK_ALL)
    sys.excepthook = complain


def complain(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
    """Say what went wrong and where, and no value: a message may have come of a secret."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    os.write(2, f"{kind.__name__}{place}\n".encode())

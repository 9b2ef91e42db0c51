"""Who is at the other end of a Unix socket, as the kernel tells it."""

from __future__ import annotations

import os
import socket
import struct

CREDENTIALS = struct.Struct("3i")  # process, user, group: struct ucred of unix(7)


def is_ours(connection: socket.socket) -> bool:
    """Tell whether the process at the other end runs as the same user as this one."""
    told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    _process, user, _group = CREDENTIALS.unpack(told)
    return bool(user == os.getuid())

"""The hosts that devices of the hall may be at: asked once by name, judged, and then kept to.

A manager types where a camera or a printer is, and this machine connects there. So that nobody makes
it knock elsewhere, only addresses of a private network are taken: not this machine itself, no public
address, none of a link, which is where a cloud keeps its secrets. A name is asked for once and what
it says is connected to, since a name may change its mind between two questions.
"""

from __future__ import annotations

import ipaddress
import socket

Host = ipaddress.IPv4Address | ipaddress.IPv6Address

# A cloud's address for its own secrets: link-local in version 4, a private one in version 6.
METADATA = ipaddress.ip_address("fd00:ec2::254")


class NotAllowed(Exception):
    """A host answers to an address that no device of a hall has."""


def resolve(name: str, port: int, *, loopback: bool) -> str:
    """Return the address of a host as digits; `loopback` lets it be this machine.

    Raises NotAllowed where any of its addresses is none of the hall's network; OSError and
    UnicodeError where nobody knows it.
    """
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    hosts = [str(entry[4][0]).split("%")[0] for entry in found]
    if not all(may_be_asked(ipaddress.ip_address(host), loopback=loopback) for host in hosts):
        raise NotAllowed(name)
    return hosts[0]


def may_be_asked(host: Host, *, loopback: bool) -> bool:
    """Return whether a device may be at an address."""
    if isinstance(host, ipaddress.IPv6Address) and host.ipv4_mapped:
        host = host.ipv4_mapped
    if host.is_loopback:
        return loopback
    strange = host.is_link_local or host.is_multicast or host.is_unspecified or host.is_reserved
    return not strange and not host.is_global and host != METADATA

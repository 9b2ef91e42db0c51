"""The one exception of the embedded servers."""


class EmbeddedError(Exception):
    """Why the servers could not be had, as one plain sentence a person can act on."""

"""Papers and pictures of the game: frozen values in, bytes out, no database."""

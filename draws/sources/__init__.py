"""Where balls come from."""

"""The RNG: the process that draws balls, and its client."""

"""Speed, always beside something: ours and the reference in one run, medians, the ratio between."""

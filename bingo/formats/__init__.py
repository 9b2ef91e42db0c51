"""How Django writes numbers and days, where its own formats of a language fall short."""

"""One file a command; each has one function, whose docstring is its help."""

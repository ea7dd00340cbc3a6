"""Studio: everything that a person or a client touches."""

"""Stores: records, the store protocol, SQLite, words and vectors. Knows nothing of graphs, prompts or nodes."""

"""Nodes: the state of a write, and one file a node."""

"""Undo and redo: what a write made of memories is taken back, or brought back, by a write of its own."""

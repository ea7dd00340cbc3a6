"""Prompts: one file a prompt. Knows nothing of nodes, graphs and models."""

"""Writes run again from their records: to see that the same comes out (replay), or what else would have (what-if)."""

"""Ids that sort by time: milliseconds and chance in Crockford's base 32."""

from __future__ import annotations

from datetime import datetime
from random import Random, SystemRandom
from threading import Lock

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
CHANCE = 6
"""characters of chance: 30 bits within one millisecond"""


class IdSource:
    """`IdSource(Random(7))` gives the same ids for the same times again; never the same id twice in a process."""

    def __init__(self, random: Random | None = None) -> None:
        self._random = random or SystemRandom()
        self._last = 0
        self._lock = Lock()

    def __call__(self, now: datetime) -> str:
        with self._lock:
            moment = int(now.timestamp() * 1000)
            drawn = (moment << (5 * CHANCE)) | self._random.getrandbits(5 * CHANCE)
            self._last = max(drawn, self._last + 1) if drawn >> (5 * CHANCE) == self._last >> (5 * CHANCE) else drawn
            return encode(self._last)


def encode(value: int) -> str:
    """Sixteen characters, so that text order is number order."""
    return "".join(ALPHABET[(value >> shift) & 31] for shift in range(75, -1, -5))

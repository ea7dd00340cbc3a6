"""Thousands of fresh dialogues against the embedded extractor and judge: python tests/soak_rules.py --count 5000

Prints the seed, so that a fault can be had again with --seed. Exits 1 on a fault.
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path
from random import SystemRandom

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a script, the folder above is not on the path

from scrubjay import Memory
from tests.dialogue_run import Tally, play_all
from tests.dialogues import dialogues

BATCH = 500
"""dialogues a store: a fresh one each, so that thousands do not slow each other down"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**9))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    tally = Tally()
    stream = dialogues(options.seed, options.count)
    while part := list(islice(stream, BATCH)):
        with Memory.open(":memory:", model="rules") as memory:
            tally.played += play_all(memory, part).played
        print(f"{len(tally.played)}: plain work {tally.share():.1%}, wrong {len(tally.wrong())}", flush=True)
    print(tally.report())
    for played in (*tally.wrong(), *(p for kind in tally.weak() for p in tally.failing(kind))):
        print(played)
    return 0 if tally.passes else 1


if __name__ == "__main__":
    raise SystemExit(main())

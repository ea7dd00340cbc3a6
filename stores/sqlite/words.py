"""Finding memories by their words: stems and CJK bigrams in an FTS5 table, ranked by BM25.

A token carries the number of its scope ("7_austin"), so a match reads the lists of one scope only, and the count of
memories that hold a word, which BM25 rests on, is the scope's own. (A second column for the scope, intersected with
the words, was measured at twice to four times the time, since FTS5's bm25() walks each word's list once more for that
count.) Only active memories are in the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlite_utils import Database

from scrubjay.stores.records import Hit
from scrubjay.stores.sqlite.filters import Condition
from scrubjay.stores.sqlite.rows import as_array, select
from scrubjay.stores.text import search_tokens

QUERY_WORDS = 64
"""at most so many words of a query are looked for, the rarest first …"""
QUERY_ROWS = 2_000
"""… and as long as, together, they stand in no more memories than this: commoner words tell memories apart least and
cost most. The rarest word is looked for in any case."""
_LONGEST = 64
"""characters of a token that count, in memories and in queries alike"""


def tokens_of(scope: int, text: str) -> list[str]:
    """The text's tokens as they stand in the table of words."""
    return [f"{scope}_{token[:_LONGEST]}" for token in search_tokens(text)]


def forget(db: Database, memory: int) -> None:
    """Take a memory out of the table of words, if it is there."""
    for row in select(db, "SELECT body FROM words WHERE rowid = ?", memory):
        _count(db, set(row["body"].split(" ")), -1)
        db.execute("DELETE FROM words WHERE rowid = ?", [memory])


def learn(db: Database, scope: int, memory: int, text: str, facts: Iterable[str]) -> None:
    """Make a memory findable by the words of its text, and by those that only its current facts have."""
    tokens = tokens_of(scope, text)
    more = dict.fromkeys(token for fact in facts for token in tokens_of(scope, fact))
    known = set(tokens)
    tokens += [token for token in more if token not in known]
    if tokens:
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", [memory, " ".join(tokens)])
        _count(db, set(tokens), 1)


def search(db: Database, scope: int, text: str, k: int, narrowed: Condition) -> list[Hit]:
    """The k best by BM25, more is better, equal ones by id."""
    match = _match(db, scope, text)
    if match is None:
        return []
    version = " JOIN memory_versions v ON v.memory = m.num AND v.version = m.version" if narrowed.sql else ""
    rows = select(
        db,
        f"SELECT m.id, -bm25(words) AS score FROM words JOIN memories m ON m.num = words.rowid{version}"
        f" WHERE words MATCH ?{narrowed.sql} ORDER BY score DESC, m.id LIMIT ?",
        *(match, *narrowed.params, k),
    )
    return [Hit(row["id"], row["score"]) for row in rows]


def _match(db: Database, scope: int, text: str) -> str | None:
    """The query for FTS5: each word quoted by us, so that no text is ever read as its syntax."""
    chosen = _chosen(_frequencies(db, set(tokens_of(scope, text))))
    return " OR ".join('"' + token.replace('"', '""') + '"' for token in chosen) or None


def _frequencies(db: Database, tokens: set[str]) -> Counter[str]:
    """In how many memories each token stands; a token that stands nowhere is left out."""
    sql = "SELECT term, memories FROM terms WHERE term IN (SELECT value FROM json_each(?))"
    return Counter({row["term"]: row["memories"] for row in select(db, sql, as_array(sorted(tokens)))})


def _chosen(frequencies: Counter[str]) -> Sequence[str]:
    chosen: list[str] = []
    rows = 0
    for token, memories in sorted(frequencies.items(), key=lambda item: (item[1], item[0]))[:QUERY_WORDS]:
        rows += memories
        if chosen and rows > QUERY_ROWS:
            break
        chosen.append(token)
    return chosen


def _count(db: Database, tokens: set[str], step: int) -> None:
    sql = (
        "INSERT INTO terms (term, memories) VALUES (?, ?)"
        " ON CONFLICT (term) DO UPDATE SET memories = memories + excluded.memories"
    )
    db.conn.executemany(sql, [(token, step) for token in sorted(tokens)])
    if step < 0:
        gone = "DELETE FROM terms WHERE memories <= 0 AND term IN (SELECT value FROM json_each(?))"
        db.execute(gone, [as_array(sorted(tokens))])

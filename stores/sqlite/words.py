"""Finding memories by their words: stems and CJK bigrams in an FTS5 table, ranked by BM25.

A token carries the number of its scope ("7_austin"), so a search reads the lists of one scope only. (A second column
for the scope, intersected with the words, was measured at twice to four times the time.) The lists are read through
FTS5's vocabulary table and weighed here, not by MATCH and bm25(): those count with the rows of everybody, so that one
user's memories would shift another's scores, and MATCH has a syntax that texts would have to be kept out of.
Only active memories are in the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from sqlite_utils import Database

from scrubjay.stores.records import Hit
from scrubjay.stores.sqlite.filters import Condition
from scrubjay.stores.sqlite.rows import Row, as_array, names_of, select, to_json
from scrubjay.stores.text import query_tokens, search_tokens

QUERY_WORDS = 64
"""at most so many words of a query are looked for, the rarest first …"""
QUERY_ROWS = 1_000
"""… and as long as, together, they stand in no more memories than this: commoner words tell memories apart least and
cost most. The rarest word is looked for in any case."""
_K1, _B = 1.2, 0.75
"""BM25's usual constants (Robertson and Zaragoza 2009)"""
_LONGEST = 64
"""characters of a token that count, in memories and in queries alike"""


def tokens_of(scope: int, text: str) -> list[str]:
    """The text's tokens as they stand in the table of words."""
    return _scoped(scope, search_tokens(text))


def _scoped(scope: int, tokens: list[str]) -> list[str]:
    return [f"{scope}_{token[:_LONGEST]}" for token in tokens]


def forget(db: Database, scope: int, memory: int) -> None:
    """Take a memory out of the table of words, if it is there."""
    for row in select(db, "SELECT body FROM words WHERE rowid = ?", memory):
        tokens = row["body"].split(" ")
        db.execute("DELETE FROM words WHERE rowid = ?", [memory])
        _count(db, scope, memory, tokens, -1)


def learn(db: Database, scope: int, memory: int, text: str, facts: Iterable[str]) -> None:
    """Make a memory findable by the words of its text, and by those that only its current facts and its slots have.

    The slots ("home city") bring a move and the old home together, whose texts need not share a word.
    """
    tokens = tokens_of(scope, text)
    more = dict.fromkeys(token for fact in facts for token in tokens_of(scope, fact))
    known = set(tokens)
    tokens += [token for token in more if token not in known]
    if tokens:
        db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", [memory, " ".join(tokens)])
        _count(db, scope, memory, tokens, 1)


def relearn(db: Database, scope: int, row: Row) -> list[str]:
    """The texts that a memory is found by, once its words are those of the row: num, status, text, attributes, facts
    (the last two as JSON arrays)."""
    forget(db, scope, row["num"])
    if row["status"] != "active":
        return []
    facts = names_of(row["facts"])
    learn(db, scope, row["num"], row["text"], [*facts, *names_of(row["attributes"])])
    return [row["text"], *facts]


def search(db: Database, scope: int, text: str, k: int, narrowed: Condition) -> list[Hit]:
    """The k best by BM25 over the scope's own memories, more is better, equal ones by id."""
    weights, average = _weights(db, scope, text)
    if not weights:
        return []
    version = " JOIN memory_versions v ON v.memory = m.num AND v.version = m.version" if narrowed.sql else ""
    sql = (
        f"{_COUNTED} SELECT m.id, round(sum(c.weight * c.n * ({_K1} + 1)"
        f" / (c.n + {_K1} * ({1 - _B} + {_B} * m.tokens / ?))), 6) AS score"
        f" FROM counted c CROSS JOIN memories m ON m.num = c.memory{version} WHERE 1{narrowed.sql}"
        " GROUP BY c.memory ORDER BY score DESC, m.id LIMIT ?"
    )
    rows = select(db, sql, to_json(weights), average, *narrowed.params, max(k, 0))
    return [Hit(row["id"], row["score"]) for row in rows]


_COUNTED = """
WITH wanted (term, weight) AS MATERIALIZED (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)
), counted (memory, weight, n) AS (
    SELECT p.doc, w.weight, count(*) FROM wanted w CROSS JOIN word_places p ON p.term = w.term GROUP BY p.doc, w.term
)
"""


def _weights(db: Database, scope: int, text: str) -> tuple[list[tuple[str, float]], float]:
    """(token, inverse document frequency) for the words looked for, and the scope's average length of a memory."""
    telling = _frequencies(db, set(_scoped(scope, query_tokens(text))))
    chosen = _chosen(telling or _frequencies(db, set(tokens_of(scope, text))))
    if not chosen:
        return [], 0.0
    scope_row = select(db, "SELECT worded, tokens FROM scopes WHERE num = ?", scope)[0]
    memories = scope_row["worded"]
    weights = [(token, math.log(1 + (memories - n + 0.5) / (n + 0.5))) for token, n in chosen]
    return weights, scope_row["tokens"] / memories


def _frequencies(db: Database, tokens: set[str]) -> Counter[str]:
    """In how many memories each token stands; a token that stands nowhere is left out."""
    sql = "SELECT term, memories FROM terms WHERE term IN (SELECT value FROM json_each(?))"
    return Counter({row["term"]: row["memories"] for row in select(db, sql, as_array(sorted(tokens)))})


def _chosen(frequencies: Counter[str]) -> list[tuple[str, int]]:
    chosen: list[tuple[str, int]] = []
    rows = 0
    for token, memories in sorted(frequencies.items(), key=lambda item: (item[1], item[0]))[:QUERY_WORDS]:
        rows += memories
        if chosen and rows > QUERY_ROWS:
            break
        chosen.append((token, memories))
    return chosen


def _count(db: Database, scope: int, memory: int, tokens: list[str], step: Literal[1, -1]) -> None:
    """Keep the numbers that BM25 rests on: `step` 1 for a memory that came, -1 for one that goes."""
    sql = (
        "INSERT INTO terms (term, memories) VALUES (?, ?)"
        " ON CONFLICT (term) DO UPDATE SET memories = memories + excluded.memories"
    )
    distinct = sorted(set(tokens))
    db.conn.executemany(sql, [(token, step) for token in distinct])
    if step < 0:
        gone = "DELETE FROM terms WHERE memories <= 0 AND term IN (SELECT value FROM json_each(?))"
        db.execute(gone, [as_array(distinct)])
    size = step * len(tokens)
    db.execute("UPDATE memories SET tokens = ? WHERE num = ?", [max(size, 0), memory])
    db.execute("UPDATE scopes SET worded = worded + ?, tokens = tokens + ? WHERE num = ?", [step, size, scope])

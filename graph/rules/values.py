"""What a slot holds, cut out of the words that follow its cue and folded so that equal things compare equal."""

from __future__ import annotations

import re
from collections.abc import Callable

from scrubjay.graph.rules.tables import pattern, table, words

_TAIL = pattern("values.tail")
_STOP = pattern("values.stop")
_HEAD = pattern("values.head")
_ARTICLE = re.compile(
    r"^(?:(?:a|an|the|some|user's|my|any|drinking|eating|having|doing|to|of|own|new|old)\s+)+", re.IGNORECASE
)


def fold(value: str) -> str:
    """Case, articles, tails like "any more" and plain plurals do not make another thing."""
    text = strip_tail(value).casefold().strip(" .,;:!\"'")
    text = _ARTICLE.sub("", text)
    return " ".join(_singular(word) for word in text.split())


def strip_tail(value: str) -> str:
    """Without the words that say when or how much, at the end."""
    shorter = _TAIL.sub("", value.strip())
    while shorter != value:
        value, shorter = shorter, _TAIL.sub("", shorter)
    return value


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        if word.endswith("ies") and len(word) > 4:
            return word[:-3] + "y"
        return word[:-2] if word.endswith(("shes", "ches", "xes", "oes")) else word[:-1]
    return word


_DISTRICT = pattern("values.district")


def place(value: str) -> str | None:
    """ "Zilker, Austin last month" → "zilker, austin"; None for "a new flat", "the Austin office"."""
    value = _DISTRICT.sub("", value)
    tokens = (value.removeprefix("the ") if value[4:5].isupper() else value).split()
    length = _capitalised(tokens)
    if length == 0:
        return _small_place(value)
    closed = tokens[length - 1][-1] in ",;:.!?)"
    if length < len(tokens) and not closed and not _may_follow(tokens[length]):
        return None
    name = " ".join(tokens[:length]).strip(" ,.;:!?()").casefold()
    return _checked_place(name) if name else None


def _capitalised(tokens: list[str]) -> int:
    """How many words from the first on are a name: "Rio de Janeiro", "Portland, Maine"."""
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        joins = at and token.casefold() in words("connectors") and following[:1].isupper() and tokens[at - 1][-1] != ","
        if not (token[:1].isupper() or joins) or token in ("I", "User"):
            return at
        if token[-1] in ".;:!?)" and not (
            token[-2:-1].isupper() or token.casefold().strip(".") in words("abbreviations")
        ):
            return at + 1
    return len(tokens)


def _may_follow(word: str) -> bool:
    return word.casefold().strip(".,!?") in words("after_place") or not word[0].isalpha()


def _checked_place(name: str) -> str | None:
    first = name.split(",")[0]
    parts = first.split()
    if first in words("not_places") or parts[0] in words("not_places") or parts[-1] in words("not_places"):
        return None
    return None if first in words("companies") else name


def _small_place(value: str) -> str | None:
    """Written without capitals, only a place that we know."""
    lowered = _STOP.sub("", value.casefold()).strip(" .,!")
    return lowered if lowered in table("slots")["places"] else None


_NAMED = re.compile(r"[A-ZÀ-Þ]|\d*[A-Z]|[a-z][A-Z]")


def org(value: str) -> str | None:
    """A named employer, or "a bakery"."""
    core = _STOP.sub("", strip_tail(value).strip()).strip(" .,;:!?")
    if _NAMED.match(core) or core.casefold() in words("companies"):
        return (
            None
            if core.casefold().split()[-1] in ("university", "college", "school") and " " not in core
            else core.casefold()
        )
    plain = _ARTICLE.sub("", core.casefold())
    known = plain != core.casefold() and any(plain == w or plain.endswith(" " + w) for w in words("workplaces"))
    return plain if known else None


def orgname(value: str) -> str | None:
    """A named employer only: "left Acme", never "left the house"."""
    return org(value) if _NAMED.match(value) else None


def company(value: str) -> str | None:
    """An employer that we know by name: "moved to Google"."""
    name = org(value)
    return name if name in words("companies") else None


def firm(value: str) -> str | None:
    """An employer by its name ("Halden Labs"): what one joins to work there, where others join a gym or a party."""
    name = orgname(value)
    known = name and (name.split()[-1] in words("firm_words") and " " in name or name in words("joined_firms"))
    return name if known else None


def job(value: str) -> str | None:
    """What somebody works as, whatever it is."""
    return fold(re.sub(r"\s+(?:at|in|for|with|since|on|near|by|from)\b.*$|[,;:(].*$", "", strip_tail(value))) or None


def occupation(value: str) -> str | None:
    """A job that we know to be one: "a nurse", "a senior software engineer", never "a morning person"."""
    if value.casefold().startswith(("not ", "no longer ")):
        return None
    name = job(value)
    if name is None:
        return None
    last_two = " ".join(name.split()[-2:])
    known = name.split()[-1] in words("jobs") or last_two in words("jobs")
    return name if known and len(name.split()) <= 4 else None


def thing(value: str) -> str | None:
    """What somebody likes, drinks, plays: the head without what follows a preposition."""
    core = strip_tail(value)
    verb = re.match(r"(?:to )?(\w+ing)\b", core)
    head = core if verb else _HEAD.sub("", core)
    return fold(_HEAD.sub("", head) or head) or None


def detail(value: str) -> str:
    """What follows the head: "with friends"."""
    core = re.sub(r",?\s*but\b.*$", "", strip_tail(value))
    found = _HEAD.search(core)
    if not found:
        return ""
    rest = core[found.start() :].casefold()
    return f"and {rest.strip(' ,')}" if rest.startswith(",") else rest.strip()


def name(value: str) -> str | None:
    """A person's name, at most three words."""
    core = re.split(r"[,;:(!?]|\s(?:and|but|by|because|at|since|in|for|not|now|instead|or|short)\b", strip_tail(value))[
        0
    ].strip(" .\"'")
    parts = core.split()
    if not parts or len(parts) > 3 or parts[0].casefold() in words("not_names") or not core[0].isupper():
        return None
    return core.casefold()


def age(value: str) -> str | None:
    """Years of life."""
    return str(int(value)) if 3 <= int(value) <= 120 else None


def _listed(list_name: str) -> Callable[[str], str | None]:
    def pick(value: str) -> str | None:
        word = strip_tail(value).casefold().strip(" .,!")
        return word if word in words(list_name) else None

    return pick


def pet(value: str) -> str | None:
    """ "a dog named Rex" → "dog"; None for "a car"."""
    if not re.match(r"(?:an? |two |three |\d |user's |the )", value, re.IGNORECASE):
        return None
    kind = fold(_HEAD.sub("", strip_tail(value)))
    kind = re.sub(r"^(?:two|three|four|\d+) ", "", kind)
    return kind if kind and (kind.split()[-1] in words("pets") or kind in words("pets")) else None


def amount(value: str) -> str | None:
    """A number with its unit, without what follows: "67 kg"."""
    return raw(re.split(r"[,;]\s|\s(?:and|after|since|as|but|because|at)\b", value)[0])


def raw(value: str) -> str | None:
    """As said."""
    return fold(value) or None


READERS: dict[str, Callable[[str], str | None]] = {
    "place": place, "org": org, "orgname": orgname, "company": company, "firm": firm,
    "job": job, "occupation": occupation,
    "object": thing, "name": name, "age": age, "diet": _listed("diets"), "status": _listed("statuses"), "pet": pet,
    "raw": raw, "amount": amount, "date": raw, "none": lambda _: "",
}  # fmt: skip
"""How a value is read, by the kind that its pattern names."""

"""Groups: which facts and targets are resolved together, so that no target has two owners (RULES §1). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scrubjay.nodes.numbering import rank_of
from scrubjay.nodes.state import FactState, GroupState, Json, RelationState, Write
from scrubjay.nodes.vocabulary import is_label, label, passing, problem
from scrubjay.stores.text import compare_dates, normalise

STRENGTH = ("retracts", "supersedes", "contradicts", "refines", "duplicate", "independent")
CURRENT_LIMIT = 4
"""current facts in a memory"""


@dataclass
class Group:
    """A memory in the making."""

    members: list[int] = field(default_factory=list)
    absorbed: list[int] = field(default_factory=list)
    past: list[int] = field(default_factory=list)
    retractions: list[int] = field(default_factory=list)
    ends: dict[str, list[str]] = field(default_factory=dict)
    """target → its facts that end; a target that is only merged or repeated stands here with none"""
    joins: set[str] = field(default_factory=set)
    """targets whose facts go on in this memory"""
    derived: list[Json] = field(default_factory=list)
    born_past: bool = False
    forgets: bool = False
    """a new fact told along with a wish to forget: what ended leaves no wording in its memory"""


@dataclass
class Grouped:
    """All groups of a write, the links beside them, and what did not fit."""

    groups: list[GroupState]
    links: list[Json]
    problems: list[Json]


def group(state: Write, relations: Sequence[RelationState], budget: int) -> Grouped:
    """Every passing fact stands in exactly one group; every target belongs to at most one."""
    builder = Builder(state, relations)
    for fact in sorted(builder.facts, key=lambda f: (f["n"] not in builder.owners.values(), f["n"])):
        builder.place(fact)
    for later, earlier in builder.within_write:
        builder.end_within_write(later, earlier)
    return builder.result(budget)


class Builder:
    """Places the owners of ended targets first, then the other facts in order."""

    def __init__(self, state: Write, relations: Sequence[RelationState]) -> None:
        self.state = state
        self.facts = passing(state["facts"])
        self.known = state["known"]
        self.relations = relations
        self.strongest = {f["n"]: strongest([r for r in relations if r["n"] == f["n"]]) for f in self.facts}
        self.home: dict[int, Group] = {}
        self.by_target: dict[str, Group] = {}
        self.links: list[Json] = []
        self.problems: list[Json] = []
        self.within_write: list[tuple[FactState, int]] = []
        self.owners = self._owners()

    # -- owners
    def history(self, n: int, r: RelationState) -> bool:
        """A claim on the target by something older than it: that is history, and ends nothing."""
        fact = next(f for f in self.facts if f["n"] == n)
        return r["relation"] == "supersedes" and self.older(fact, r)

    def _owners(self) -> dict[str, int]:
        """Target → the fact that ends it: a retraction first, then the best fused rank, then the earlier fact."""
        claims: dict[str, list[tuple[bool, int, int]]] = {}
        for n, relations in self.strongest.items():
            for r in relations:
                if r["relation"] in ("retracts", "supersedes") and not is_label(r["ref"]) and not self.history(n, r):
                    row = self.state["candidates"].get(str(n), [])
                    claims.setdefault(r["ref"], []).append((r["relation"] != "retracts", rank_of(row, r["ref"]), n))
        return {ref: min(claim)[2] for ref, claim in claims.items()}

    # -- placing
    def place(self, fact: FactState) -> None:
        """The strongest relation sets the action; the weaker ones become links."""
        n = fact["n"]
        used = self.strongest[n]
        kind = used[0]["relation"] if used else "independent"
        for r in self.relations:
            if r["n"] == n and r["relation"] != kind:  # weaker, or made independent by a check
                self.link(n, "related", r["ref"])
        if kind in ("retracts", "supersedes"):
            self.end(fact, used, forget=kind == "retracts")
        elif kind in ("refines", "duplicate"):
            self.join(fact, used)
        else:
            self.alone(fact)
            for r in used if kind == "contradicts" else []:
                self.link(n, "contradicts", r["ref"])

    def alone(self, fact: FactState) -> Group:
        made = Group(retractions=[fact["n"]]) if fact["retraction"] else Group(members=[fact["n"]])
        self.home[fact["n"]] = made
        return made

    def link(self, n: int, kind: str, ref: str) -> None:
        entry = {"n": n, "kind": kind, "ref": ref}
        if entry not in self.links:
            self.links.append(entry)

    # -- supersedes, retracts
    def end(self, fact: FactState, relations: list[RelationState], *, forget: bool) -> None:
        """The owner takes the target; what any other fact ended in it ends with it, and that fact gets a link."""
        made = self.alone(fact)
        made.forgets = forget and not fact["retraction"]
        for r in relations:
            if is_label(r["ref"]):
                self.within_write.append((fact, int(r["ref"][1:])))
            elif not forget and self.older(fact, r):
                made.born_past = True
                self.link(fact["n"], "related", r["ref"])
            elif self.owners[r["ref"]] != fact["n"]:
                self.link(fact["n"], "related", r["ref"])
            else:
                self.take(fact, made, r)

    def take(self, fact: FactState, made: Group, r: RelationState) -> None:
        claims = [o for used in self.strongest.values() for o in used if o["ref"] == r["ref"]]
        same = [o for o in claims if o["relation"] == r["relation"] and not self.history(o["n"], o)]
        ended = [f["id"] for f in self.known[r["ref"]]["facts"] if any(f["id"] in o["ends"] for o in same)]
        made.ends[r["ref"]] = ended
        self.by_target[r["ref"]] = made
        for clause in self.still_true(fact["n"], r, ended):
            if self.size(made) < CURRENT_LIMIT or forget_keeps(made):
                made.derived.append(clause)
            else:
                self.problems.append(problem("memory_full", f"no room for {clause['text']!r}", fact["n"]))

    def end_within_write(self, fact: FactState, other: int) -> None:
        """An earlier fact of this write ended at once: it is past in the memory of the one that ended it."""
        made, theirs = self.home[fact["n"]], self.home.get(other)
        in_circles = theirs is made and len(made.members) == 1  # they end each other: one must stay
        if theirs is None or other not in theirs.members or in_circles:
            self.link(fact["n"], "related", label(other))
        elif fact["retraction"]:
            self.forget_within_write(made, theirs, other)
        else:
            theirs.members.remove(other)
            theirs.past.append(other)
            self.unite(theirs, made)

    def forget_within_write(self, made: Group, theirs: Group, other: int) -> None:
        """What was said and taken back in one breath comes into no memory; what it had ended stays as it was."""
        theirs.members.remove(other)
        made.past.append(other)
        self.home[other] = made
        if not theirs.members:
            for ref in [ref for ref in theirs.ends if ref not in theirs.joins]:
                del theirs.ends[ref], self.by_target[ref]

    def unite(self, theirs: Group, made: Group) -> None:
        """All of `made` goes into `theirs`."""
        if theirs is made:
            return
        for whole, part in (
            (theirs.members, made.members), (theirs.past, made.past), (theirs.absorbed, made.absorbed),
            (theirs.derived, made.derived),
        ):  # fmt: skip
            whole += part  # type: ignore[operator]
        theirs.ends |= made.ends
        theirs.joins |= made.joins
        self.by_target |= dict.fromkeys(made.ends, theirs)
        self.home |= {n: theirs for n, home in self.home.items() if home is made}

    def older(self, fact: FactState, r: RelationState) -> bool:
        """The new fact was true before what it would supersede: history, not the present.

        A date that was still to come when it was told is no history: an appointment may move to an earlier day.
        """
        ended = [f for f in self.known[r["ref"]]["facts"] if f["id"] in r["ends"]]
        mine = fact["valid_from"]
        if mine is None or compare_dates(mine, fact["sources"][0]["at"]) > 0:
            return False
        return any(f["valid_from"] and compare_dates(mine, f["valid_from"]) < 0 for f in ended)

    def still_true(self, n: int, r: RelationState, ended: list[str]) -> list[Json]:
        """Clauses that the reply says still hold; each must be a span of an ended fact."""
        found: list[Json] = []
        texts = {f["id"]: normalise(f["text"]) for f in self.known[r["ref"]]["facts"]}
        for clause in r["still_true"]:
            said = normalise(clause)
            source = next((i for i in ended if said and said in texts[i] and said != texts[i]), None)
            if source is None:
                self.problems.append(problem("still_true", f"{clause!r} is no part of what ended", n))
            else:
                found.append({"text": clause.strip(), "derived_from": source, "ref": r["ref"]})
        return found

    # -- refines, duplicate
    def join(self, fact: FactState, relations: list[RelationState]) -> None:
        """Into the memory of the target, into its owner's new memory, or beside it with a link."""
        for r in relations:
            if fact["n"] in self.home:
                self.join_more(fact, r)
            elif not self.join_one(fact, r):
                self.link(fact["n"], "related", r["ref"])
        if fact["n"] not in self.home:
            self.alone(fact)

    def join_one(self, fact: FactState, r: RelationState) -> bool:
        made = self.group_of(r["ref"]) if self.same_subject(fact, r["ref"]) else None
        if made is None:
            return False
        if r["ref"] in self.owners and not self.joins_owner(fact, r):
            return False
        if r["relation"] == "duplicate":
            made.absorbed.append(fact["n"])
        elif self.has_room(fact, made):
            made.members.append(fact["n"])
        else:
            full = "the memory is full, or a dated event: added and linked"
            self.problems.append(problem("memory_full", full, fact["n"]))
            self.drop_unused(made, r["ref"])
            return False
        self.home[fact["n"]] = made
        return True

    def join_more(self, fact: FactState, r: RelationState) -> None:
        """A further target of the same fact: the two memories become one if there is room, else they are linked."""
        mine = self.home[fact["n"]]
        ref = r["ref"]
        free = not is_label(ref) and ref not in self.by_target and ref not in self.owners
        if free and self.same_subject(fact, ref) and not self.dated(ref):
            current = len(self.current_of(ref))
            absorbs = r["relation"] == "duplicate" and fact["n"] in mine.absorbed and current == 1
            grows = fact["n"] in mine.members and self.size(mine) + current <= CURRENT_LIMIT
            if absorbs or grows:
                mine.joins.add(ref)
                mine.ends[ref] = []
                self.by_target[ref] = mine
                return
        self.link(fact["n"], "related", ref)

    def group_of(self, ref: str) -> Group | None:
        if is_label(ref):
            return self.home.get(int(ref[1:]))
        if ref in self.owners and ref not in self.by_target:
            return None  # its owner comes later, or is history
        if ref not in self.by_target:
            self.by_target[ref] = Group(joins={ref}, ends={ref: []})
        return self.by_target[ref]

    def drop_unused(self, made: Group, ref: str) -> None:
        if not (made.members or made.absorbed or made.retractions) and self.by_target.get(ref) is made:
            del self.by_target[ref]

    def joins_owner(self, fact: FactState, r: RelationState) -> bool:
        """What refines an ended target joins the memory that follows it, if it speaks of the same slot."""
        owner = next((f for f in self.facts if f["n"] == self.owners[r["ref"]]), None)
        if owner is None or owner["retraction"] or r["relation"] != "refines":
            return False
        return normalise(owner["subject"]) == normalise(fact["subject"]) and bool(
            set(owner["attributes"]) & set(fact["attributes"])
        )

    def same_subject(self, fact: FactState, ref: str) -> bool:
        if is_label(ref):
            other = next(f for f in self.state["facts"] if f["n"] == int(ref[1:]))
            return normalise(other["subject"]) == normalise(fact["subject"])
        return normalise(self.known[ref]["subject"]) == normalise(fact["subject"])

    def has_room(self, fact: FactState, made: Group) -> bool:
        beside = [f for f in self.facts if f["n"] in made.members]
        dated = any(is_dated(f) for f in [fact, *beside]) or any(self.dated(ref) for ref in made.joins)
        return not dated and self.size(made) + 1 <= CURRENT_LIMIT

    def dated(self, ref: str) -> bool:
        """Dated events never merge with one another or with anything else."""
        return any(is_dated(f) for f in self.current_of(ref))

    def current_of(self, ref: str) -> list[Json]:
        return [f for f in self.known[ref]["facts"] if f["standing"] == "current"]

    def size(self, made: Group) -> int:
        return len(made.members) + len(made.derived) + sum(len(self.current_of(r)) for r in made.joins)

    # -- result
    def result(self, budget: int) -> Grouped:
        unique: list[Group] = []
        for made in self.home.values():
            if not any(made is u for u in unique):
                unique.append(made)
        groups: list[GroupState] = []
        for number, made in enumerate(unique, 1):
            groups.append(self.as_state(made, f"g{number}", number <= budget))
        return Grouped(groups, self.links, self.problems)

    def as_state(self, made: Group, name: str, may_call: bool) -> GroupState:
        action = action_of(made)
        return {
            "id": name, "action": action, "facts": made.members, "absorbed": made.absorbed, "past": made.past,
            "retractions": made.retractions, "derived": made.derived, "may_call": may_call,
            "born_past": made.born_past and not made.ends, "forgets": made.forgets, "text": self.proposed(made),
            "targets": [{"ref": ref, "ends": ends, "joins": ref in made.joins} for ref, ends in made.ends.items()],
        }  # fmt: skip

    def proposed(self, made: Group) -> str | None:
        """The joint reply's text, if it was written for exactly these facts and targets."""
        members = {label(n) for n in [*made.members, *made.absorbed, *made.past]} | set(made.ends)
        for r in self.relations:
            if r["text"] and set(r["members"]) == members:
                return r["text"]
        return None


def is_dated(fact: FactState | Json) -> bool:
    return fact["type"] == "event" and fact["valid_from"] is not None


def forget_keeps(made: Group) -> bool:
    """What a wish to forget leaves standing stays in its own memory, and takes no room in another."""
    return bool(made.retractions)


def strongest(relations: list[RelationState]) -> list[RelationState]:
    """The relations of the strongest kind, in order of rank as they came."""
    for kind in STRENGTH[:-1]:
        if found := [r for r in relations if r["relation"] == kind]:
            return found
    return []


def action_of(made: Group) -> str:
    """What is done with the group."""
    if made.retractions:
        return "delete" if made.ends else "none"
    if any(made.ends[ref] for ref in made.ends if ref not in made.joins):
        return "replace"
    if made.joins and (made.members or len(made.joins) > 1):
        return "merge"
    if made.joins:
        return "none"
    return "merge" if len(made.members) > 1 or made.past else "add"

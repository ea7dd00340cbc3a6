"""From a plan to what the store is told: new versions, standings, links. Pure; ids follow from the write's id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from scrubjay.nodes.numbering import rank_of
from scrubjay.nodes.resolving import target_absorbed
from scrubjay.nodes.settings import Settings
from scrubjay.nodes.state import FactState, GroupState, Json, Resolved, Write
from scrubjay.nodes.vocabulary import id_body, is_label
from scrubjay.stores.records import Absorption, Fact, Link, NewVersion, Source, Standing, Status

Standings = dict[str, Standing]


@dataclass
class Changes:
    """What a plan does to the store."""

    versions: list[NewVersion] = field(default_factory=list)
    absorptions: list[Absorption] = field(default_factory=list)
    derived: list[Fact] = field(default_factory=list)
    reports: list[Json] = field(default_factory=list)
    """memory_changes: memory_id, action, before, after, retired (memories of which nothing is left active)"""
    home: dict[int, str] = field(default_factory=dict)
    """fact number → memory that rests on it"""

    @property
    def texts(self) -> list[str]:
        """What needs a vector: texts of memories that stay active."""
        return [v.text for v in self.versions if v.status == "active"]


class Planner:
    """Turns groups into versions, one after the other."""

    def __init__(self, state: Write, settings: Settings, now: str) -> None:
        self.state, self.settings, self.now = state, settings, now
        self.facts = {f["n"]: f for f in state["facts"]}
        self.body = id_body(settings.context.write_id or "")
        self.made = Changes()

    def changes(self, plan: Sequence[Resolved], links: Sequence[Json]) -> Changes:
        for item in plan:
            self._carry_out(item)
        self._link(links)
        return self.made

    def _carry_out(self, item: Resolved) -> None:
        group = item["group"]
        joined = [t for t in group["targets"] if t["joins"]]
        if group["retractions"]:
            for target in group["targets"]:
                self._end(target, item, forget=True)
        elif group["action"] == "none":
            self._absorb(group)
        elif joined:
            self._merge(item, joined)
        elif group["facts"]:
            self._create(item)

    # -- the four shapes
    def _absorb(self, group: GroupState) -> None:
        for target in group["targets"]:
            version = self.state["known"][target["ref"]]["version"]
            for n in group["absorbed"]:
                self.made.absorptions.append(Absorption(target["ref"], version, self.facts[n]["id"]))
                self.made.home[n] = target["ref"]

    def _create(self, item: Resolved) -> None:
        """A new memory, for an addition or in place of what ended."""
        group = item["group"]
        memory_id = self._new_id(group)
        standings = self._own_standings(group, "past" if group["born_past"] else "current")
        ended = [t for t in group["targets"] if not t["joins"]]
        standings |= self._past(group, ended)
        links = tuple(Link("supersedes", t["ref"]) for t in ended)
        status: Status = "superseded" if group["born_past"] else "active"
        metadata = self._metadata([t["ref"] for t in ended])
        self._version(memory_id, 1, item["text"] or "", status, self._newest(group), metadata, standings, links)
        for target in ended:
            self._end(target, item, forget=group["forgets"])
        self._settle(group, memory_id)
        before = "; ".join(self.state["known"][t["ref"]]["text"] for t in ended) or None
        action = "replace" if ended else "add"
        left = item.get("left", {})
        self._report(memory_id, action, before, item["text"], [t["ref"] for t in ended if left.get(t["ref"]) is None])

    def _merge(self, item: Resolved, joined: list[Json]) -> None:
        """One of the joined memories goes on under its id; the others point to it."""
        group = item["group"]
        main = self._main(group, [t["ref"] for t in joined])
        known = self.state["known"]
        standings: Standings = {}
        for target in sorted(joined, key=lambda t: t["ref"] != main):
            facts = known[target["ref"]]["facts"]
            absorbed = target_absorbed(group, target, facts)
            standings |= {f["id"]: "absorbed" if f["id"] in absorbed else f["standing"] for f in facts}
        ended = [t for t in group["targets"] if not t["joins"]]
        standings |= self._own_standings(group, "current") | self._past(group, ended)
        metadata = self._metadata([main, *(t["ref"] for t in joined if t["ref"] != main)])
        newest = self._newest(group) if group["facts"] else _as_fact(known[main])
        links = tuple(Link("supersedes", t["ref"]) for t in ended)
        self._version(
            main, known[main]["version"] + 1, item["text"] or "", "active", newest, metadata, standings, links
        )
        for target in joined:
            if target["ref"] != main:
                self._retire(target["ref"], Link("merged_into", main))
        for target in ended:
            self._end(target, item, forget=group["forgets"])
        self._settle(group, main)
        retired = [t["ref"] for t in group["targets"] if t["ref"] != main]
        self._report(main, "merge", known[main]["text"], item["text"], retired)

    def _end(self, target: Json, item: Resolved, *, forget: bool) -> None:
        """The named facts end; what still stands keeps the memory active under its id."""
        memory = self.state["known"][target["ref"]]
        standings: Standings = {
            f["id"]: "past" if f["id"] in target["ends"] else f["standing"] for f in memory["facts"]
        }
        text = item.get("left", {}).get(target["ref"])
        if forget and item["group"]["retractions"]:
            standings |= {self.facts[n]["id"]: "past" for n in item["group"]["retractions"]}
            mine = [d for d in item["group"]["derived"] if d["ref"] == target["ref"]]
            standings |= {f.id: "current" for f in self._derive(mine)}
            for n in item["group"]["retractions"]:
                self.made.home[n] = target["ref"]
        status: Status = "active" if text is not None else ("deleted" if forget else "superseded")
        kept = memory["text"] if text is None else text
        like, version = _as_fact(memory), memory["version"] + 1
        self._version(memory["id"], version, kept, status, like, memory["metadata"], standings, ())
        if forget and item["group"]["retractions"]:
            self._report(memory["id"], "delete", memory["text"], text, [] if text else [memory["id"]])

    def _new_id(self, group: GroupState) -> str:
        return f"m_{self.body}_{min(group['facts'])}"

    def _past(self, group: GroupState, ended: Sequence[Json]) -> Standings:
        """The facts that ended go on as past in the memory that took over, but for those that are to be forgotten."""
        gone = [] if group["forgets"] else [i for target in ended for i in target["ends"]]
        return dict.fromkeys(gone, "past")

    def _retire(self, ref: str, link: Link) -> None:
        memory = self.state["known"][ref]
        standings: Standings = {f["id"]: f["standing"] for f in memory["facts"]}
        like, version = _as_fact(memory), memory["version"] + 1
        self._version(ref, version, memory["text"], "superseded", like, memory["metadata"], standings, (link,))

    # -- parts of a version
    def _own_standings(self, group: GroupState, standing: Standing) -> Standings:
        own: Standings = {self.facts[n]["id"]: standing for n in group["facts"]}
        own |= {self.facts[n]["id"]: "absorbed" for n in group["absorbed"]}
        own |= {self.facts[n]["id"]: "past" for n in group["past"]}
        return own | {f.id: "current" for f in self._derive(group["derived"])}

    def _derive(self, clauses: Sequence[Json]) -> list[Fact]:
        """Clauses that still hold, as facts of their own that know what they come from."""
        found: list[Fact] = []
        for clause in clauses:
            old = next(f for f in self.state["known"][clause["ref"]]["facts"] if f["id"] == clause["derived_from"])
            found.append(Fact(
                id=f"f_{self.body}_d{len(self.made.derived) + len(found) + 1}", text=clause["text"],
                write_id=self.settings.context.write_id or "", type=old["type"], subject=old["subject"],
                attributes=tuple(old["attributes"]), modality=old["modality"], valid_from=old["valid_from"],
                valid_to=old["valid_to"], derived_from=old["id"], recorded_at=self.now, key=f"{old['key']}~",
            ))  # fmt: skip
        self.made.derived += found
        return found

    def _newest(self, group: GroupState) -> FactState:
        return self.facts[max(group["facts"])]

    def _metadata(self, refs: Sequence[str]) -> Json:
        """Of the targets, and of this write, which wins where both have a key."""
        merged: Json = {}
        for ref in reversed(refs):
            merged |= self.state["known"][ref]["metadata"]
        return merged | self.settings.context.metadata

    def _main(self, group: GroupState, refs: list[str]) -> str:
        """Whose id goes on: the oldest target's, or for some presets the best-ranked one's."""
        if self.settings.strategy.keeps_id == "highest":
            row = self.state["candidates"].get(str(min([*group["facts"], *group["absorbed"]])), [])
            return min(refs, key=lambda r: (rank_of(row, r), r))
        return min(refs, key=lambda r: (self.state["known"][r]["created_at"], r))

    def _version(
        self, memory_id: str, version: int, text: str, status: Status, like: FactState, metadata: Json,
        standings: Standings, links: tuple[Link, ...],
    ) -> None:  # fmt: skip
        self.made.versions.append(NewVersion(
            memory_id=memory_id, version=version, text=text, status=status, type=like["type"], subject=like["subject"],
            attributes=self._slots(standings) or tuple(like["attributes"]), valid_from=like["valid_from"],
            valid_to=like["valid_to"], metadata=metadata, standings=tuple(standings.items()), links=links,
        ))  # fmt: skip

    def _slots(self, standings: Standings) -> tuple[str, ...]:
        """Of all facts that are current: each must lead to the memory."""
        mine = {f["id"]: f["attributes"] for f in self.facts.values()}
        mine |= {f["id"]: f["attributes"] for m in self.state["known"].values() for f in m["facts"]}
        mine |= {f.id: list(f.attributes) for f in self.made.derived}
        return tuple(sorted({a for i, standing in standings.items() if standing == "current" for a in mine[i]}))

    def _settle(self, group: GroupState, memory_id: str) -> None:
        for n in [*group["facts"], *group["absorbed"], *group["past"]]:
            self.made.home[n] = memory_id

    def _report(self, memory_id: str, action: str, before: str | None, after: str | None, retired: list[str]) -> None:
        self.made.reports.append({
            "memory_id": memory_id, "action": action, "before": before, "after": after, "retired": retired,
            "write_id": self.settings.context.write_id, "outcome": "applied",
        })  # fmt: skip

    # -- links
    def _link(self, links: Sequence[Json]) -> None:
        """From the memory of a fact to what it was linked to; stored with the version that this write makes."""
        wanted: dict[str, list[Link]] = {}
        for link in links:
            here = self.made.home.get(link["n"])
            there = self.made.home.get(int(link["ref"][1:])) if is_label(link["ref"]) else link["ref"]
            if here and there and here != there:
                wanted.setdefault(here, []).append(Link(link["kind"], there))
        self.made.versions = [_with_links(v, wanted.get(v.memory_id, [])) for v in self.made.versions]


def _with_links(version: NewVersion, links: Sequence[Link]) -> NewVersion:
    if not links:
        return version
    strong = {link.memory_id for link in version.links}
    fresh = [link for link in dict.fromkeys(links) if link.memory_id not in strong]
    told = {link.memory_id for link in fresh if link.kind == "contradicts"}
    fresh = [link for link in fresh if link.kind == "contradicts" or link.memory_id not in told]
    return replace(version, links=(*version.links, *fresh))


def _as_fact(memory: Json) -> FactState:
    """Type, subject and slots of a memory that goes on; its newest current fact's where that differs."""
    found: FactState = {
        "type": memory["type"], "subject": memory["subject"], "attributes": list(memory["attributes"]),
        "valid_from": memory["valid_from"], "valid_to": memory["valid_to"],
    }  # fmt: skip
    return found


def stored_facts(state: Write, now: str) -> tuple[list[Fact], list[Source]]:
    """Every fact that was extracted, dropped ones too, and where each was said; repeats give their source away.

    Only words of the user's are given away: a repeat without a quote is an echo of the assistant's.
    """
    write_id = state["settings"]["context"]["write_id"]
    context = state["settings"]["context"]
    facts: list[Fact] = []
    sources: list[Source] = []
    for f in state["facts"]:
        facts.append(Fact(
            id=f["id"], write_id=write_id, text=f["text"], type=f["type"], subject=f["subject"],
            attributes=tuple(f["attributes"]), modality=f["modality"], valid_from=f["valid_from"],
            valid_to=f["valid_to"], retraction=f["retraction"], recorded_at=now, key=f["key"],
        ))  # fmt: skip
        folded = f.get("gate", {}).get("folded_into")
        for owner in [f["id"], *([folded] if folded else [])]:
            sources += [
                Source(
                    fact_id=owner, message_id=s["message_id"], quote=s["quote"], at=s["at"], write_id=write_id,
                    conversation_id=context["conversation_id"], run_id=context["run_id"],
                )
                for s in f["sources"] if owner == f["id"] or s["quote"]
            ]  # fmt: skip
    return facts, sources

"""The generator of dialogues and its scorer, on memories made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.dialogue_records import Claim, Dialogue, Expect, Says
from tests.dialogue_run import play_all
from tests.dialogue_score import Score, asserts, mentions, score
from tests.dialogues import KINDS, dialogues


@dataclass(frozen=True)
class Note:
    """A memory made by hand."""

    text: str
    subject: str = "user"
    status: str = "active"


@dataclass(frozen=True)
class Step:
    """A decision made by hand."""

    action: str
    outcome: str = "applied"


@dataclass(frozen=True)
class Wrote:
    """What a fake agent says of one write."""

    decisions: tuple[Step, ...] = (Step("add"),)


@dataclass
class Hoarder:
    """An agent that keeps every message as it was said."""

    kept: dict[str, list[Note]] = field(default_factory=dict)

    def add(self, messages: list[dict[str, str]], *, user_id: str, at: str) -> Wrote:
        self.kept.setdefault(user_id, []).extend(Note(message["content"]) for message in messages)
        return Wrote()

    def list(self, *, user_id: str) -> list[Note]:
        return list(self.kept[user_id])


class Brute(Hoarder):
    """An agent that lets every message replace all that it had."""

    def add(self, messages: list[dict[str, str]], *, user_id: str, at: str) -> Wrote:
        self.kept[user_id] = [Note(message["content"]) for message in messages]
        return Wrote((Step("replace"),))


MOVED = Expect(current=(Claim("York"),), ended=(Claim("Leeds"),))
KEEPS = Expect(current=(Claim("Leeds"),), kept=(Claim("Leeds"),), never=(Claim("York"),))
FORGETS = Expect(forgotten=("4821",), kept=(Claim("Miso"),))
TWICE = Expect(current=(Claim("Leeds"),), once=(Claim("Leeds"),))


def scored(
    expect: Expect, *texts: str | Note, steps: tuple[Step, ...] = (), earlier: list[list[Note]] | None = None
) -> Score:
    notes = [text if isinstance(text, Note) else Note(text) for text in texts]
    return score(Dialogue("by hand", "en", (), expect), notes, steps, earlier)


def test_one_seed_gives_one_stream() -> None:
    assert list(dialogues(7, 120)) == list(dialogues(7, 120))


def test_a_dialogue_does_not_depend_on_how_many_are_asked_for() -> None:
    assert list(dialogues(7, 200))[:50] == list(dialogues(7, 50))


def test_another_seed_gives_another_stream() -> None:
    assert list(dialogues(7, 50)) != list(dialogues(8, 50))


def test_500_dialogues_hold_every_kind_and_enough_of_the_plain_ones_for_a_rate() -> None:
    seen = [d.kind for d in dialogues(1, 500)]
    assert all(seen.count(kind.name) >= (4 if kind.near else 9) for kind in KINDS)


def test_no_slot_is_left_unfilled() -> None:
    assert not [d for d in dialogues(3, 1500) if "{" in repr((d.messages, d.expect))]


def test_the_messages_of_a_dialogue_follow_each_other_in_time() -> None:
    assert all(a.at < b.at for d in dialogues(5, 300) for a, b in zip(d.messages, d.messages[1:], strict=False))


def test_every_value_that_should_be_current_was_said() -> None:
    for d in dialogues(11, 1500):
        said = " ".join(say.text for say in d.messages)
        assert all(mentions(said, c.value) for c in (*d.expect.current, *d.expect.kept)), d


def test_no_value_is_expected_both_to_go_and_to_stay() -> None:
    for d in dialogues(13, 1500):
        gone = {c.value for c in d.expect.ended if c.says == "yes"} | set(d.expect.forgotten)
        stays = {c.value for c in (*d.expect.current, *d.expect.kept) if c.says == "yes"}
        assert not [(a, b) for a in gone for b in stays if mentions(a, b) or mentions(b, a)], d


def test_exact_repeats_are_word_for_word() -> None:
    twice = [d for d in dialogues(17, 600) if d.kind in ("said twice", "zh said twice")]
    assert twice and all(d.messages[0].text == d.messages[-1].text for d in twice)


def test_only_near_misses_never_end_anything() -> None:
    near = [d for d in dialogues(19, 600) if d.near]
    assert near and not [d for d in near if d.expect.ended or d.expect.forgotten]


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("User lives in York.", "york", True),
        ("User lives in New Yorkshire", "York", False),
        ("User pays $1,150 a month", "$1,150|1150", True),
        ("User pays $1,150 a month", "150", False),
        ("on 14 May", "4 May|May 4", False),
        ("on 2026-05-04 at noon", "4 May|05-04", True),
        ("User weighs 75kg", "75 kg|75kg|75", True),
        ("用户的房租是3500元", "3500", True),
        ("用户住在北京市", "北京", True),
        ("改到11月14日", "1月14日", False),
        ("User\u2019s PIN is 4821", "4821", True),
    ],
)
def test_a_value_is_found_as_a_whole(text: str, value: str, found: bool) -> None:
    assert mentions(text, value) is found


@pytest.mark.parametrize(
    ("text", "value", "says"),
    [
        ("User lives in York", "York", "yes"),
        ("User has lived in York for three years", "York", "yes"),
        ("User is used to living in York now", "York", "yes"),
        ("User used to live in York", "York", "no"),
        ("User no longer lives in York", "York", "no"),
        ("User lived in York as a child", "York", "no"),
        ("User moved from Leeds to York", "York", "yes"),
        ("User moved from Leeds to York", "Leeds", "no"),
        ("User moved to York from Leeds", "York", "yes"),
        ("User left Leeds and moved to York", "York", "yes"),
        ("User left Leeds and moved to York", "Leeds", "no"),
        ("User's rent was raised to $1,200", "1,200", "yes"),
        ("User's rent was $1,150", "1,150", "no"),
        ("User drinks chai instead of coffee now", "coffee", "no"),
        ("User drinks chai instead of coffee now", "chai", "yes"),
        ("User swapped coffee for chai", "coffee", "no"),
        ("User swapped coffee for chai", "chai", "yes"),
        ("User has gone off olives", "olives", "no"),
        ("User can\u2019t stand olives any more", "olives", "no"),
        ("User likes jazz and does not like opera", "jazz", "yes"),
        ("User likes jazz and does not like opera", "opera", "no"),
        ("User does not like tea with milk; User likes tea", "tea", "yes"),
        ("用户从北京搬到了上海", "北京", "no"),
        ("用户从北京搬到了上海", "上海", "yes"),
        ("用户不喜欢香菜了", "香菜", "no"),
        ("用户特别喜欢香菜", "香菜", "yes"),
        ("用户以前住在大连", "大连", "no"),
        ("用户不喝咖啡了，改喝绿茶", "绿茶", "yes"),
        ("用户把咖啡换成绿茶了", "咖啡", "no"),
    ],
)
def test_a_sentence_affirms_or_denies(text: str, value: str, says: Says) -> None:
    other: Says = "no" if says == "yes" else "yes"
    assert asserts(Note(text), Claim(value, says))
    if "; " not in text:
        assert not asserts(Note(text), Claim(value, other))


@pytest.mark.parametrize(
    "text", ["User moved to York (previously: User lives in Leeds)", "用户搬到了York（此前：用户住在Leeds）"]
)
def test_a_previously_clause_asserts_nothing(text: str) -> None:
    assert not asserts(Note(text), Claim("Leeds")) and not asserts(Note(text), Claim("Leeds", "no"))


def test_a_memory_that_is_not_active_asserts_nothing() -> None:
    assert not asserts(Note("User lives in York", status="superseded"), Claim("York"))


def test_a_number_counts_only_beside_what_it_belongs_to() -> None:
    assert not asserts(Note("User's locker is 214"), Claim("214", about="office|room"))


def test_a_replaced_fact_works() -> None:
    assert scored(MOVED, "User moved to York (previously: User lives in Leeds)") == Score(works=True)


def test_the_old_fact_left_beside_the_new_one_is_stale() -> None:
    found = scored(MOVED, "User lives in Leeds", "User moved to York")
    assert (found.works, found.stale_left, found.wrong) == (False, 1, 0)


def test_an_update_that_was_missed_does_not_work() -> None:
    found = scored(MOVED, "User lives in Leeds")
    assert not found.works and "not current: York (yes)" in found.why


def test_an_old_fact_that_was_never_remembered_does_not_work() -> None:
    assert not scored(MOVED, "User moved to York", earlier=[[], [Note("User moved to York")]]).works


def test_a_kept_fact_in_a_previously_clause_is_a_wrong_supersession() -> None:
    assert scored(KEEPS, "User's sister moved to York (previously: User lives in Leeds)").wrong_supersession == 1


def test_a_kept_fact_narrowed_away_is_a_wrong_supersession() -> None:
    expect = Expect(kept=(Claim("tea"), Claim("lemon")))
    assert scored(expect, "User likes tea with lemon (previously: User likes tea)").wrong_supersession == 1


def test_a_kept_fact_that_vanished_is_a_wrong_deletion() -> None:
    assert scored(FORGETS, "User plays chess").wrong_deletion == 1


def test_decisions_tell_that_a_vanished_fact_was_replaced() -> None:
    found = scored(KEEPS, "User's sister moved to York", steps=(Step("add"), Step("replace")))
    assert (found.wrong_supersession, found.wrong_deletion) == (1, 0)


def test_a_replacement_that_no_word_betrays_is_found_in_the_decisions() -> None:
    assert scored(KEEPS, "User lives in Leeds", steps=(Step("replace"),)).wrong_supersession == 1


def test_a_deletion_that_nobody_asked_for_is_found_in_the_decisions() -> None:
    assert scored(KEEPS, "User lives in Leeds", steps=(Step("delete"),)).wrong_deletion == 1


def test_a_replacement_that_awaits_review_is_not_one() -> None:
    assert scored(KEEPS, "User lives in Leeds", steps=(Step("replace", "pending_review"),)).works


def test_a_fact_that_was_never_remembered_is_not_lost() -> None:
    found = scored(KEEPS, earlier=[[], []])
    assert (found.works, found.wrong) == (False, 0)


def test_a_fact_that_was_remembered_once_is_lost() -> None:
    assert scored(KEEPS, earlier=[[Note("User lives in Leeds")], []]).wrong_deletion == 1


@pytest.mark.parametrize(
    "text", ["User moved to York", "User lives in York; User lives in Leeds", "User is based in York."]
)
def test_what_was_never_true_of_the_user_is_a_wrong_assertion(text: str) -> None:
    assert scored(KEEPS, "User lives in Leeds", text).wrong_assertion == 1


@pytest.mark.parametrize(
    "note",
    [
        Note("User's sister moved to York"),
        Note("moved to York", subject="sister"),
        Note("User plans to move to York next year"),
        Note("User might move to York"),
        Note("User is staying in York this week"),
        Note("User would not move to York"),
        Note("User used to live in York"),
        Note("User moved to York", status="deleted"),
    ],
)
def test_what_is_marked_as_another_matter_is_no_assertion(note: Note) -> None:
    assert scored(KEEPS, "User lives in Leeds", note).wrong_assertion == 0


def test_a_dislike_of_somebody_else_is_not_the_users() -> None:
    expect = Expect(kept=(Claim("olives"),), never=(Claim("olives", "no"),))
    assert scored(expect, "User likes olives", "User's husband can't stand olives").works
    assert scored(expect, "User likes olives", "User can't stand olives").wrong_assertion == 1


def test_a_plan_in_chinese_is_no_assertion() -> None:
    expect = Expect(kept=(Claim("北京"),), never=(Claim("上海"),))
    assert scored(expect, "用户住在北京", "用户打算明年搬到上海").works
    assert scored(expect, "用户住在北京", "用户搬到上海").wrong_assertion == 1


def test_a_forgotten_value_may_stand_nowhere() -> None:
    found = scored(FORGETS, "User's cat is called Miso (previously: PIN 4821)")
    assert (found.works, found.unforgotten) == (False, 1)


def test_forgetting_what_was_asked_and_no_more_works() -> None:
    earlier = [[Note("PIN is 4821"), Note("User's cat is called Miso")], [Note("User's cat is called Miso")]]
    assert scored(FORGETS, "User's cat is called Miso", steps=(Step("delete"),), earlier=earlier).works


def test_nothing_forgotten_where_nothing_was_known_does_not_work() -> None:
    assert not scored(Expect(forgotten=("4821",)), earlier=[[], []]).works


def test_equal_memories_are_duplicates() -> None:
    assert scored(TWICE, "User lives in Leeds", "user lives in Leeds.").duplicates_left == 1


def test_reworded_memories_of_one_claim_are_duplicates_and_allowed() -> None:
    found = scored(TWICE, "User lives in Leeds", "User's home is in Leeds")
    assert (found.works, found.duplicates_left) == (True, 1)


def test_a_duplicate_of_an_exact_repeat_fails() -> None:
    expect = Expect(current=(Claim("Leeds"),), once=(Claim("Leeds"),), folds=True)
    assert not scored(expect, "User lives in Leeds", "User lives in Leeds").works


def test_an_empty_store_works_for_no_plain_dialogue() -> None:
    assert not [d for d in dialogues(23, 600) if not d.near and score(d, [], (), [[] for _ in d.messages]).works]


def test_a_store_that_keeps_every_message_as_it_was_said_is_never_wrong() -> None:
    for d in dialogues(29, 1500):
        notes = [Note(say.text) for say in d.messages]
        found = score(d, notes, (), [notes[: n + 1] for n in range(len(notes))])
        assert not found.wrong and not [why for why in found.why if why.startswith("not current")], (d, found.why)


def test_what_should_be_kept_is_there_to_be_lost() -> None:
    for d in dialogues(53, 1500):
        assert all(any(asserts(Note(say.text), c) for say in d.messages) for c in d.expect.kept), d


def test_a_store_that_replaces_all_it_had_is_wrong_in_every_near_miss() -> None:
    for d in (d for d in dialogues(31, 1500) if d.near):
        *old, new = (say.text for say in d.messages)
        assert scored(d.expect, f"{new} (previously: {'; '.join(old)})").wrong_supersession, d


def test_a_store_that_believes_everything_is_wrong_wherever_there_is_something_not_to_believe() -> None:
    gullible = [d for d in dialogues(37, 1500) if d.expect.never]
    assert gullible and all(scored(d.expect, *map(_as_said, d.expect.never)).wrong_assertion for d in gullible)


def test_a_perfect_store_works_in_every_dialogue() -> None:
    for d in dialogues(41, 1500):
        before = [Note(_as_said(c)) for c in d.expect.ended] + [Note(value) for value in d.expect.forgotten]
        after = [Note(text) for text in dict.fromkeys(map(_as_said, (*d.expect.current, *d.expect.kept)))]
        assert score(d, after, (), [before, after]) == Score(works=True), d


def _as_said(claim: Claim) -> str:
    value, about = claim.value.split("|")[0], claim.about.split("|")[0]
    return f"User dislikes {value}" if claim.says == "no" else f"User has {about} {value}"


def test_an_agent_that_hoards_is_never_wrong_and_does_not_pass() -> None:
    tally = play_all(Hoarder(), dialogues(43, 300))
    assert not tally.wrong() and tally.total("stale_left") and tally.total("duplicates_left") and not tally.passes


def test_a_tally_names_the_kinds_that_work_too_seldom() -> None:
    weak = play_all(Hoarder(), dialogues(43, 300)).weak()
    assert "move" in weak and "addition" not in weak


def test_a_tally_tells_every_dialogue_that_went_wrong() -> None:
    tally = play_all(Brute(), dialogues(47, 300))
    assert {p.dialogue.number for p in tally.wrong()} >= {p.dialogue.number for p in tally.played if p.dialogue.near}
    assert "wrong supersession" in str(tally.wrong()[0])


def test_a_report_shows_the_rate_of_every_plain_kind() -> None:
    tally = play_all(Hoarder(), dialogues(43, 300))
    assert all(f"  {kind.name}: " in tally.report() for kind in KINDS if not kind.near)

"""Turns of speech that the embedded decider reads as plain statements, and those that come close to one."""

from __future__ import annotations

import pytest

from scrubjay.graph.rules import RulesDecider
from scrubjay.prompts.extract import ExtractedFact, Extraction, ExtractRequest
from scrubjay.prompts.extraction_loss import extraction_loss
from scrubjay.prompts.judge import JointGroup, JointVerdict, JudgeJointRequest, JudgeManyRequest, ManyVerdicts
from scrubjay.prompts.shown import ShownFact, ShownMemory, ShownMessage

AT = "2026-05-12T10:00:00+02:00"
DECIDER = RulesDecider()


def extracted(text: str) -> list[ExtractedFact]:
    message = ShownMessage(number=1, role="user", text=text, at=AT)
    reply = DECIDER.decide(ExtractRequest(messages=(message,), observed_at=AT, today=AT[:10]), {}).value
    assert isinstance(reply, Extraction)
    return reply.facts


def shown(text: str, mark: str) -> list[ShownFact]:
    """The statements that would be stored, numbered F1, F2 … or 1.1, 2.1 …"""
    kept = [fact for fact in extracted(text) if fact.modality in ("actual", "planned")]
    return [
        ShownFact(
            number=f"F{at}" if mark == "F" else f"{at}.1",
            attributes=tuple(fact.attributes),
            **fact.model_dump(exclude={"attributes", "message"}),
        )
        for at, fact in enumerate(kept, 1)
    ]


def memories(text: str) -> tuple[ShownMemory, ...]:
    return tuple(ShownMemory(number=f.number.split(".")[0], text=f.text, facts=(f,)) for f in shown(text, ""))


def relations(before: str, after: str) -> set[str]:
    found: set[str] = set()
    for fact in shown(after, "F"):
        reply = DECIDER.decide(JudgeManyRequest(fact=fact, memories=memories(before)), {}).value
        assert isinstance(reply, ManyVerdicts)
        found |= {verdict.relation for verdict in reply.verdicts}
    return found


def groups(before: str, after: str, *, with_text: bool = True) -> list[JointGroup]:
    request = JudgeJointRequest(facts=tuple(shown(after, "F")), memories=memories(before), with_text=with_text)
    reply = DECIDER.decide(request, {}).value
    assert isinstance(reply, JointVerdict)
    return reply.groups


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The code for my bike lock is 4471", "User's bike lock code is 4471"),
        ("The number of my brother is 555-0142", "User's brother's number is 555-0142"),
        ("There are 9 people in my choir", "User's choir has 9 people"),
        ("You can always reach me at +44 20 7946 0958", "User's phone number is +44 20 7946 0958"),
        ("Please email me at kit@example.org from now on", "User's email is kit@example.org from now on"),
        ("I'm down to 61 kg, that's my weight now", "User's weight is 61 kg now"),
        ("They've put me in room 12", "User's room was changed to 12"),
        ("I'm on flight EI154", "User's flight is EI154"),
        ("We adopted another cat, he's called Nori", "User adopted another cat called Nori"),
        ("Please don't forget that my birthday is on 2 June", "User's birthday is on 2 June"),
        ("My phone plan costs $30 a month", "User's phone plan costs $30 a month"),
        ("After two winters I packed up and moved to Faro", "User moved to Faro"),
    ],
)
def test_a_turn_of_speech_is_kept_as_the_plain_statement(said: str, kept: str) -> None:
    assert kept in [fact.text for fact in extracted(said) if fact.modality == "actual"]


@pytest.mark.parametrize(
    "said",
    [
        "The code for my bike lock might be 4471",
        "He says the PIN for my card is 1111",
        "You could reach me at 555-0142 if you had to",
        "Should I get down to 61 kg?",
        "Did I forget to tell you my PIN?",
        "There are 9 people in the room",
    ],
)
def test_a_turn_that_asserts_nothing_is_no_fact(said: str) -> None:
    assert [fact for fact in extracted(said) if fact.modality == "actual"] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My Netflix subscription costs $10 a month", "My Netflix subscription costs $13 a month now"),
        ("My rent is $900", "My landlord put the rent up to $950"),
        ("My rent is $900", "The rent went up to $950 last month"),
        ("My rent is $900", "I pay $950 rent now"),
        ("The rent for my apartment is $900 a month", "The rent for my apartment just went up to $950"),
        ("The password for my wifi is hunter22", "The password for my wifi is now hunter33"),
        ("My wifi password is hunter22", "My wifi password changed to hunter33"),
        ("The code for my locker is 4471", "My locker code is now 9920"),
        ("I weigh 80 kilos", "I'm down to 76 kilos"),
        ("I weigh 180 pounds", "I'm at 172 pounds now"),
        ("I weigh 80 kg", "I got down to 76 kg"),
        ("My weight is 80 kg", "I'm 76 kg now"),
        ("My exam is on 4 May", "My exam got moved to 11 May"),
        ("My exam is on 4 May", "The exam was postponed to 11 May"),
        ("My exam is on 4 May", "They postponed my exam to 11 May"),
        ("I have an exam on 4 May", "My exam is on 11 May now"),
        ("My job interview is on 4 May", "My job interview has been brought forward to 2 May"),
        ("My essay is due on 4 May", "The deadline for my essay was extended to 11 May"),
        ("My essay is due on 4 May", "My essay is due on 11 May now"),
        ("My flight is on 4 May", "My flight was pushed to 6 May"),
        ("I usually drink black tea at breakfast", "My morning drink is chai now"),
        ("My morning drink is green tea", "I've given up green tea, I drink cappuccino now"),
        ("My go-to drink is green tea", "I switched to lemonade"),
        ("My usual drink is cola", "I stopped drinking cola"),
        ("I drink tea in the morning", "These days I have coffee for breakfast"),
        ("I love jazz", "I no longer enjoy jazz"),
        ("I love jazz", "I'm totally over jazz"),
        ("I love jazz", "I've lost all interest in jazz"),
        ("I love jazz", "I really don't like jazz any more"),
        ("I love jazz", "I can't stand jazz these days"),
        ("I love jazz", "I'm not into jazz any more"),
        ("I love jazz", "I'm not a fan of jazz any more"),
        ("I like sushi", "I've had enough of sushi"),
        ("I take 50 mg of sertraline", "My sertraline dose went up to 75 mg"),
        ("I take 50 mg of sertraline", "I'm on 75 mg of sertraline now"),
        ("I take 50 mg of sertraline", "My doctor raised my sertraline dose to 75 mg"),
        ("I'm on 50 mg of sertraline", "My dose of sertraline is 75 mg now"),
        ("I work for Verity Health", "I moved from Verity Health to Quantive"),
        ("I work for Verity Health", "I quit Verity Health, I'm with Quantive now"),
        ("I work for Verity Health", "My new employer is Quantive"),
        ("I'm employed at Verity Health", "I work for Quantive these days"),
        ("I work as a baker", "I'm a teacher now"),
        ("I'm a baker", "I became a teacher"),
        ("I live in Basel", "We've just moved to Quito"),
        ("I live in Basel", "I'm based in Quito now"),
        ("I live in Basel", "My home is in Quito now"),
        ("My home is in Basel", "I moved to Quito"),
        ("I live in Basel", "Basel is history, I live in Quito now"),
        ("I am 37", "I just turned 38"),
        ("I am 37", "Today is my birthday, I'm 38 now"),
        ("I'm 37 years old", "My age is 38 now"),
        ("My phone number is 555-0119", "You can now reach me at 555-0163"),
        ("My phone number is 555-0119", "I got a new phone number: 555-0163"),
        ("My phone number is 555-0119", "My new number is 555-0163"),
        ("My email is ana@x.org", "Please email me at ana@y.org from now on"),
        ("We're 6 people in my team", "We're 8 people in my team now"),
        ("My team has 6 people", "My team is now 8 people"),
        ("My team consists of 6 people", "My team shrank to 4 people"),
        ("My room number is 216", "I've been moved to room 631"),
        ("My room number is 216", "I'm in room 631 now"),
        ("I'm in seat 12A", "My seat is now 14C"),
    ],
)
def test_a_change_is_heard_in_many_words(before: str, after: str) -> None:
    assert relations(before, after) == {"supersedes"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My rent is $900", "My office rent is $1,200"),
        ("My rent is $900", "The rent on my sister's flat is $1,300"),
        ("The PIN for my card is 9073", "The PIN for my phone is 1122"),
        ("The deadline for my thesis is May 4", "The deadline for my tax return is May 20"),
        ("My thesis is due on May 4", "My library books are due on May 20"),
        ("My gym membership costs $58 a month", "My phone plan costs $30 a month"),
        ("My gym membership costs $58 a month", "My gym membership used to cost $40"),
        ("My gym membership costs $58 a month", "My gym membership might go up to $70"),
        ("I weigh 70 kg", "I want to get down to 65 kg"),
        ("I weigh 70 kg", "I used to weigh 90 kg"),
        ("I weigh 70 kg", "My suitcase weighs 20 kg"),
        ("I weigh 70 kg", "I lifted 80 kg yesterday"),
        ("I weigh 70 kg", "I weighed 75 kg in 2019"),
        ("I'm taking my driving test on 4 May", "My sister's driving test was moved to 11 May"),
        ("I'm taking my driving test on 4 May", "My theory test is on 11 May"),
        ("I'm taking my driving test on 4 May", "I may move my driving test to 11 May"),
        ("My morning drink is green tea", "My evening drink is chai now"),
        ("My morning drink is green tea", "My sister's morning drink is chai now"),
        ("My morning drink is green tea", "I had a chai this morning"),
        ("My morning drink is green tea", "Today I drink chai"),
        ("I drink coffee in the morning", "I switched to oat milk"),
        ("I drink coffee in the morning", "I've given up sugar"),
        ("I drink coffee", "I switched to lemonade for the summer"),
        ("I take 10 mg of metformin", "I take 20 mg of lisinopril now"),
        ("I take 10 mg of metformin", "My dog takes 20 mg of metformin now"),
        ("I take 10 mg of metformin", "I take 5 mg of metformin"),
        ("My metformin dose is 50 mg", "My doctor wants to change my metformin dose to 75 mg"),
        ("I work at Verity Health", "I switched from Quantive to Tessera"),
        ("I work at Verity Health", "I switched from Spotify to Tidal"),
        ("I work at Verity Health", "My wife switched from Verity Health to Quantive"),
        ("I work at Verity Health", "I switched from Verity Health to Aetna for my insurance"),
        ("We have a dog called Rex", "My sister got a second dog, she's called Tofu"),
        ("We have a dog called Rex", "We met a dog, she's called Tofu"),
        ("I love jazz", "I've gone off jazz festivals completely"),
        ("I love jazz", "I've gone off jazz radio"),
        ("I love jazz", "My wife has gone off jazz completely"),
        ("I like tea", "I do not like green tea after all"),
        ("My room number is 216", "My sister's room number is 631"),
        ("My room is 216", "My room is a mess"),
        ("My room number is 216", "The meeting was moved to room 631"),
        ("My flight is KL1023", "My return flight is KL1024"),
        ("My flight is KL1023", "My flight is on 4 May"),
        ("My team has 6 people", "There are 20 people in my class"),
        ("My team has 6 people", "My team has 2 designers"),
        ("My team has 6 people", "My team won 4 games"),
        ("You can reach me at 555-0119", "You can reach my boss at 555-0163"),
        ("You can reach me at 555-0119", "You can reach me at 555-0163 until Friday"),
        ("You can reach me at 555-0119", "You could reach me at 555-0163 if you needed to"),
        ("I'm a nurse at Mercy", "I'm a volunteer at Oakline"),
        ("I'm a nurse at Mercy", "I'm a regular at Starbucks"),
        ("I'm a nurse at Mercy", "I'm a nurse at heart"),
        ("I live in Denver", "I left Denver airport and moved to the next gate"),
        ("I live in Denver", "I almost moved from Denver to Porto two weeks ago"),
        ("I live in Denver", "My brother left Denver and moved to Porto"),
        ("I live in Denver", "I moved from Denver to Porto in 2010"),
        ("I am 37", "My car turned 38 today"),
        ("I am 37", "I turned 30 in Lisbon"),
        ("I am 37", "I turned 30 last year"),
        ("My PIN is 1234", "I forgot my PIN"),
        ("I weigh 70 kg", "I got up to 100 kg on the deadlift"),
        ("I weigh 70 kg", "I went down to 80 kg on the squat"),
        ("My dentist appointment is on 4 May", "I have my dentist appointment on 9 June too"),
        ("I live in Denver", "I left my Denver office and moved to a new desk"),
        ("I work at Tessera", "I've joined the Wexford Bank rowing club"),
        ("My PIN is 1234", "Don't forget my PIN"),
        ("My PIN is 1234", "You should never forget a PIN"),
    ],
)
def test_what_only_sounds_like_a_change_ends_nothing(before: str, after: str) -> None:
    assert not relations(before, after) & {"supersedes", "retracts"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("My PIN is 1234", "Oh, and please erase my PIN"),
        ("The PIN for my card is 1234", "Forget my PIN"),
        ("My address is 12 Mill Street", "Oh and could you wipe my address?"),
        ("My weight is 80 kg", "Please delete my weight"),
    ],
)
def test_what_has_one_value_can_be_erased_by_its_name(before: str, after: str) -> None:
    assert relations(before, after) == {"retracts"}


@pytest.mark.parametrize(
    ("before", "after", "relation"),
    [
        ("I'm Imogen", "My name is Imogen", "duplicate"),
        ("My name is Imogen", "Remember, I'm Imogen", "duplicate"),
        ("I pay $950 a month in rent", "My rent is still $950", "duplicate"),
        ("I work at Tessera", "I've joined Ironworks", "contradicts"),
    ],
)
def test_the_same_and_the_unclear_end_nothing(before: str, after: str, relation: str) -> None:
    assert relations(before, after) == {relation}


def test_a_job_at_an_employer_can_end_by_halves() -> None:
    facts = extracted("I'm a nurse at Mercy Hospital")
    assert [(fact.text, fact.attributes, fact.quote) for fact in facts] == [
        ("User is a nurse", ["job"], "I'm a nurse"),
        ("User works at Mercy Hospital", ["employer"], "at Mercy Hospital"),
    ]


def test_the_joint_reply_words_what_a_change_leaves() -> None:
    (group,) = groups("My rent is $900", "My rent is now $950")
    assert group.text == "User's rent is now $950 (previously: User's rent is $900)"


def test_the_joint_reply_words_what_a_fuller_statement_leaves() -> None:
    (group,) = groups("I like oolong", "I like oolong with friends")
    assert (group.relation, group.text) == ("refines", "User likes oolong with friends")


def test_the_joint_reply_has_no_text_where_none_is_wanted() -> None:
    assert [group.text for group in groups("My rent is $900", "My rent is now $950", with_text=False)] == [None]


def test_the_joint_reply_has_no_text_where_nothing_is_merged() -> None:
    assert [group.text for group in groups("My rent is $900", "I play tennis")] == [None]


@pytest.mark.parametrize("said", ["I moved to Porto two weeks ago", "I moved to Porto 3 weeks ago"])
def test_the_week_that_is_told_carries_how_long_ago_it_was(said: str) -> None:
    (fact,) = extracted(said)
    assert "in the week of" in fact.text
    assert extraction_loss(
        fact.text, said, subject=fact.subject, valid_from=fact.valid_from, valid_to=fact.valid_to,
        modality=fact.modality, observed_at=AT,
    ) == []  # fmt: skip

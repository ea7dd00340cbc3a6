"""English dialogues that a deterministic extractor and judge should get right."""

from __future__ import annotations

from tests.dialogue_records import Claim, Expect, Kind, Pattern
from tests.dialogue_words import (
    ADDRESSES,
    AGES,
    ALLERGIES,
    CITIES,
    COUNTS,
    DATES,
    DISHES,
    DOSES,
    DRINKS,
    EMAILS,
    EMPLOYERS,
    FEES,
    FLIGHTS,
    INSTRUMENTS,
    JOBS,
    LANGUAGES,
    NAMES,
    PASTIMES,
    PETS,
    PHONES,
    PINS,
    RENTS,
    ROOMS,
    SALARIES,
    TASTES,
    WEIGHTS,
    falling,
    rising,
)  # fmt: skip

HERS = (Claim("{a}"),)
CHANGED = Expect(current=(Claim("{b}"),), ended=(Claim("{a}"),))
BOTH = Expect(current=(Claim("{a}"), Claim("{b}")), kept=(Claim("{a}"), Claim("{b}")))
SAME = Expect(current=(Claim("{a}"),), kept=(Claim("{a}"),), once=(Claim("{a}"),))
FOLDED = Expect(current=(Claim("{a}"),), kept=(Claim("{a}"),), once=(Claim("{a}"),), folds=True)

LIVES = (
    "I live in {a}.",
    "I'm based in {a}.",
    "I live in {a}, right by the river.",
    "I've lived in {a} for three years now.",
    "My wife and I live in {a}.",
    "We live in {a}, in a small flat on the third floor.",
    "I live in {a} with my two kids.",
    "My home is in {a}.",
    "I'm living in {a}.",
)
MOVED = (
    "I moved to {b} last month.",
    "I've moved to {b}.",
    "We just moved to {b}.",
    "I've just relocated to {b} for work.",
    "I live in {b} now.",
    "I'm living in {b} now.",
    "I left {a} and moved to {b}.",
    "I moved from {a} to {b} two weeks ago.",
    "Big news: I moved to {b}.",
    "I don't live in {a} any more, I live in {b} now.",
    "After five years I packed up and moved to {b}.",
    "We finally moved! We live in {b} now.",
)
WORKS = (
    "I work at {a}.",
    "I work for {a}.",
    "I'm a {job} at {a}.",
    "I work at {a} as a {job}.",
    "I've worked at {a} for four years.",
    "I'm working at {a} these days.",
    "My employer is {a}.",
)
NEW_JOB = (
    "I started at {b} last week.",
    "I started a new job at {b}.",
    "I now work at {b}.",
    "I work at {b} now.",
    "I left {a} and joined {b}.",
    "I quit {a}, I work at {b} now.",
    "I've joined {b}.",
    "I'm working for {b} now.",
    "I got a new job at {b}, I started on Monday.",
    "I switched from {a} to {b}.",
    "I don't work at {a} any more, I'm at {b} now.",
)
DRINKING = (
    "I drink {a} every morning.",
    "My morning drink is {a}.",
    "I have {a} with breakfast.",
    "I always drink {a} in the morning.",
    "I usually drink {a} at breakfast.",
)
NEW_DRINK = (
    "I switched to {b}.",
    "I've switched from {a} to {b}.",
    "I drink {b} instead of {a} now.",
    "I drink {b} in the morning now.",
    "I've given up {a}, I drink {b} now.",
    "I've swapped {a} for {b}.",
    "My morning drink is {b} now.",
    "I stopped drinking {a}, now I drink {b}.",
)
LIKES = (
    "I like {a}.",
    "I love {a}.",
    "I really like {a}.",
    "I'm a big fan of {a}.",
    "I enjoy {a}.",
    "I'm really into {a}.",
    "I absolutely love {a}.",
)
GONE_OFF = (
    "I don't like {a} any more.",
    "I don't like {a} anymore.",
    "I no longer like {a}.",
    "I can't stand {a} now.",
    "I can't stand {a} any more.",
    "I've gone off {a}.",
    "I've gone off {a} completely.",
    "I hate {a} now.",
    "I'm not a fan of {a} any more.",
    "I've stopped liking {a}.",
    "Turns out I don't like {a} after all.",
    "I really dislike {a} these days.",
)
LOATHES = ("I don't like {a}.", "I hate {a}.", "I can't stand {a}.", "I really dislike {a}.", "I'm not a fan of {a}.")
WARMED = ("I like {a} now.", "I actually love {a} now.", "I've come to like {a}.", "I've started to like {a}.")


def _change(
    topic: str, pool: tuple[str, ...], first: tuple[str, ...], then: tuple[str, ...], slots: str = "a,b"
) -> Pattern:
    return Pattern(first, then, {slots: pool}, CHANGED, topic)


RETURN = Pattern(
    LIVES,
    ("I moved to {b}.", "I've moved to {b}.", "I live in {b} now."),
    {"a,b": CITIES},
    Expect(current=HERS, ended=(Claim("{b}"),)),
    "home",
    last=("I moved back to {a}.", "I've moved back to {a}.", "I live in {a} again.", "I moved from {b} back to {a}."),
)
MOVE = _change("home", CITIES, LIVES, MOVED)
JOB = Pattern(WORKS, NEW_JOB, {"a,b": EMPLOYERS, "job": JOBS}, CHANGED, "job")
DRINK = _change("drink", DRINKS, DRINKING, NEW_DRINK)
FLIP = Pattern(LIKES, GONE_OFF, {"a": TASTES}, Expect(current=(Claim("{a}", "no"),), ended=(Claim("{a}"),)), "taste")
WARM = Pattern(LOATHES, WARMED, {"a": TASTES}, Expect(current=(Claim("{a}"),), ended=(Claim("{a}", "no"),)), "taste")

NAME = Pattern(
    ("My name is {a}.", "I'm {a}.", "Hi, I'm {a}.", "My name's {a}."),
    ("My name is {a}.", "As I said, my name is {a}.", "My name's {a}, by the way.", "I'm {a}.", "Remember, I'm {a}."),
    {"a": NAMES},
    SAME,
    "name",
    lower=False,
)

NUMBERS = (
    _change(
        "rent",
        rising(RENTS),
        ("My rent is {a} a month.", "I pay {a} a month in rent.", "The rent on my flat is {a} a month."),
        (
            "My rent went up to {b}.",
            "My rent is now {b} a month.",
            "The landlord raised my rent to {b}.",
            "My rent has gone up from {a} to {b}.",
            "I pay {b} a month in rent now.",
            "My rent was raised to {b} a month.",
        ),
        slots="a+b",
    ),
    _change(
        "weight",
        falling(WEIGHTS),
        ("I weigh {a}.", "My weight is {a}."),
        ("I weigh {b} now.", "My weight is {b} now.", "I'm down to {b}, that's my weight now.", "I now weigh {b}."),
        slots="a+b",
    ),
    _change(
        "age",
        AGES,
        ("I'm {a} years old.", "I am {a} years old and feel fine.", "My age is {a}."),
        ("I turned {b} today.", "I'm {b} years old now.", "I just turned {b}.", "I'm {b} now."),
        slots="a+b",
    ),
    _change(
        "flight",
        FLIGHTS,
        ("My flight is {a}.", "My flight number is {a}.", "I'm booked on flight {a}."),
        (
            "My flight was changed to {b}.",
            "My flight is now {b}.",
            "They rebooked me, my flight number is {b} now.",
            "I'm on flight {b} now.",
        ),
    ),
    _change(
        "room",
        ROOMS,
        ("My room number is {a}.", "My office is in room {a}.", "I'm in room {a}."),
        ("They moved me to room {b}.", "My room is now {b}.", "I'm in room {b} now.", "My room changed to {b}."),
    ),
    _change(
        "gym",
        rising(FEES),
        ("My gym membership costs {a} a month.", "My gym membership is {a} a month."),
        (
            "My gym membership went up to {b} a month.",
            "My gym membership is {b} a month now.",
            "The gym raised my membership to {b}.",
        ),
        slots="a+b",
    ),
    _change(
        "staff",
        rising(COUNTS),
        ("My team has {a} people.", "There are {a} people in my team."),
        ("My team has {b} people now.", "My team grew to {b} people.", "There are {b} people in my team now."),
        slots="a+b",
    ),
    _change(
        "dose",
        DOSES,
        ("I take {a} of metformin a day.", "My metformin dose is {a}."),
        (
            "I take {b} of metformin now.",
            "My doctor changed my metformin dose to {b}.",
            "My metformin dose is now {b}.",
        ),
    ),
    _change(
        "phone",
        PHONES,
        ("My phone number is {a}.", "You can reach me at {a}, that's my phone number."),
        ("My new phone number is {b}.", "My phone number changed to {b}.", "My phone number is {b} now."),
    ),
)
DENTIST = ("My dentist appointment is on {a}.", "I have a dentist appointment on {a}.")
TEST = ("My driving test is on {a}.", "I have my driving test on {a}.", "I'm taking my driving test on {a}.")
THESIS = ("The deadline for my thesis is {a}.", "My thesis is due on {a}.", "My thesis deadline is {a}.")
WHEN = (
    _change(
        "dentist",
        DATES,
        DENTIST,
        (
            "My dentist appointment moved to {b}.",
            "The dentist moved my appointment to {b}.",
            "My dentist appointment is now on {b}.",
            "They rescheduled my dentist appointment to {b}.",
        ),
    ),
    _change("dentist", rising(DATES), DENTIST, ("My dentist appointment got pushed back to {b}.",), slots="a+b"),
    _change(
        "exam",
        DATES,
        TEST,
        (
            "My driving test was moved to {b}.",
            "My driving test is on {b} now.",
            "They changed my driving test to {b}.",
        ),
    ),
    _change("exam", rising(DATES), TEST, ("My driving test was postponed to {b}.",), slots="a+b"),
    _change("exam", falling(DATES), TEST, ("My driving test was brought forward to {b}.",), slots="a+b"),
    _change(
        "deadline",
        rising(DATES),
        THESIS,
        (
            "My thesis deadline was extended to {b}.",
            "The deadline for my thesis is now {b}.",
            "My thesis is now due on {b}.",
            "My thesis deadline moved to {b}.",
        ),
        slots="a+b",
    ),
)

_ASKS = (
    "Forget my {what}.", "Please forget my {what}.", "Can you forget my {what}?", "Could you please forget my {what}?",
    "Delete my {what} from your memory.", "Remove my {what} from your notes.", "I'd like you to forget my {what}.",
    "Please erase my {what}.", "Forget what I told you about my {what}.", "Please remove my {what} from memory.",
)  # fmt: skip


def _forget(
    topic: str, what: str, pool: tuple[str, ...], first: tuple[str, ...], more: tuple[str, ...] = ()
) -> Pattern:
    asks = tuple(ask.replace("{what}", what) for ask in _ASKS) + more
    return Pattern(first, asks, {"a": pool}, Expect(forgotten=("{a}",)), topic)


MUMS_NUMBER = Pattern(
    ("My phone number is {a}. My mum's phone number is {b}.",),
    ("Please forget my phone number.", "Forget my phone number."),
    {"a,b": PHONES},
    Expect(forgotten=("{a}",), kept=(Claim("{b}"),)),
    "phone",
)
FORGET = (
    _forget("phone", "phone number", PHONES, ("My phone number is {a}.",)),
    _forget("address", "address", ADDRESSES, ("My address is {a}.", "My home address is {a}.")),
    _forget("pin", "PIN", PINS, ("My PIN is {a}.", "The PIN for my card is {a}.")),
    _forget("allergy", "allergy", ALLERGIES, ("I'm allergic to {a}.",), ("Please forget that I'm allergic to {a}.",)),
    _forget("email", "email address", EMAILS, ("My email address is {a}.",)),
    _forget("pay", "salary", SALARIES, ("My salary is {a} a year.",)),
    _forget("birthday", "birthday", DATES, ("My birthday is on {a}.", "My birthday is {a}.")),
    MUMS_NUMBER,
)

_SAID_TWICE: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("home", CITIES, ("I live in {a}.", "I'm based in {a}.", "My home is in {a}.", "I'm living in {a}.")),
    ("job", EMPLOYERS, ("I work at {a}.", "I work for {a}.", "My employer is {a}.")),
    ("allergy", ALLERGIES, ("I'm allergic to {a}.", "I have an allergy to {a}.")),
    ("pet", PETS, ("My dog is called {a}.", "My dog's name is {a}.", "I have a dog called {a}.")),
    ("taste", TASTES, ("I like {a}.", "I enjoy {a}.", "I love {a}.", "I'm fond of {a}.")),
    ("music", INSTRUMENTS, ("I play the {a}.", "I can play the {a}.")),
    ("rent", RENTS, ("My rent is {a} a month.", "I pay {a} a month in rent.")),
    ("dentist", DATES, ("My dentist appointment is on {a}.", "I have a dentist appointment on {a}.")),
)
EXACT = tuple(Pattern(texts, (), {"a": pool}, FOLDED, topic) for topic, pool, texts in _SAID_TWICE)
REWORDED = tuple(Pattern(texts, texts, {"a": pool}, SAME, topic) for topic, pool, texts in _SAID_TWICE)

ADDED = (
    Pattern(
        LIKES,
        ("I also like {b}.", "I like {b} too.", "I love {b} as well.", "I like {b}.", "I've started to like {b} too."),
        {"a,b": TASTES},
        BOTH,
        "taste",
    ),
    Pattern(
        ("I have a dog called {a}.",),
        ("I have a cat called {b} too.", "I also have a dog called {b}.", "We got a second dog, she's called {b}."),
        {"a,b": PETS},
        BOTH,
        "pet",
        lower=False,
    ),
    Pattern(
        ("I speak {a}.",),
        ("I also speak {b}.", "I'm learning {b} now.", "I speak {b} too."),
        {"a,b": LANGUAGES},
        BOTH,
        "language",
    ),
    Pattern(
        ("I'm allergic to {a}.",),
        ("I'm also allergic to {b}.", "I'm allergic to {b} too."),
        {"a,b": ALLERGIES},
        BOTH,
        "allergy",
    ),
    Pattern(
        ("I play the {a}.",),
        ("I've also started playing the {b}.", "I play the {b} as well."),
        {"a,b": INSTRUMENTS},
        BOTH,
        "music",
    ),
    Pattern(
        ("I enjoy {a} and {b}.",),
        ("I also enjoy {c}.", "I enjoy {c} too."),
        {"a,b,c": PASTIMES},
        Expect(current=(Claim("{a}"), Claim("{b}"), Claim("{c}")), kept=(Claim("{a}"), Claim("{b}"))),
        "taste",
    ),
)
NARROWED = Pattern(
    ("I like {a}.", "I love {a}.", "I really like {a}."),
    ("I like {a} with {b}.", "I love {a} with {b}.", "I like my {a} with {b}.", "I like {a} best with {b}."),
    {"a+b": DISHES},
    BOTH,
    "taste",
)

PLAIN = (
    Kind("move", (MOVE,)),
    Kind("moves back", (RETURN,)),
    Kind("opinion flip", (FLIP,)),
    Kind("opinion warms", (WARM,)),
    Kind("name twice", (NAME,)),
    Kind("number change", NUMBERS),
    Kind("date change", WHEN),
    Kind("job change", (JOB,)),
    Kind("drink switch", (DRINK,)),
    Kind("forget", FORGET, aside=True),
    Kind("said twice", EXACT),
    Kind("reworded", REWORDED),
    Kind("addition", ADDED),
    Kind("narrowed", (NARROWED,)),
)

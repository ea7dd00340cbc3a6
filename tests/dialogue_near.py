"""English dialogues that look like a change and are none: nothing of the user's own may change."""

from __future__ import annotations

from tests.dialogue_plain import DRINKING, LIKES, LIVES, WORKS
from tests.dialogue_records import Claim, Expect, Kind, Pattern
from tests.dialogue_words import (
    ADDRESSES,
    CITIES,
    DATES,
    DRINKS,
    EMPLOYERS,
    JOBS,
    NEAR_NUMBERS,
    NEAR_PRICES,
    PINS,
    RENTS,
    TASTES,
)  # fmt: skip

HERS = (Claim("{a}"),)
STAYS = Expect(current=HERS, kept=HERS, never=(Claim("{b}"),))
UNTOUCHED = Expect(current=HERS, kept=HERS)
BOTH = Expect(current=(Claim("{a}"), Claim("{b}")), kept=(Claim("{a}"), Claim("{b}")))


def _home(*then: str, expect: Expect = STAYS) -> Pattern:
    return Pattern(LIVES, then, {"a,b": CITIES}, expect, "home")


def _job(*then: str, expect: Expect = STAYS) -> Pattern:
    return Pattern(WORKS, then, {"a,b": EMPLOYERS, "job": JOBS}, expect, "job")


def _drink(*then: str) -> Pattern:
    return Pattern(DRINKING, then, {"a,b": DRINKS}, STAYS, "drink")


def _taste(*then: str) -> Pattern:
    kept = Expect(current=HERS, kept=HERS, never=(Claim("{a}", "no"),))
    return Pattern(LIKES, then, {"a": TASTES}, kept, "taste")


def _rent(*then: str, expect: Expect = STAYS) -> Pattern:
    return Pattern(("My rent is {a} a month.", "I pay {a} a month in rent."), then, {"a,b": RENTS}, expect, "rent")


def _beside(x: str, y: str, pool: tuple[str, ...], first: str, then: str) -> Pattern:
    claims = (Claim("{a}", about=x), Claim("{b}", about=y))
    return Pattern((first,), (then,), {"a+b": pool}, Expect(current=claims, kept=claims), "digits")


DIGITS = (
    _beside("locker", "office|room", NEAR_NUMBERS, "My locker number is {a}.", "My office is in room {b}."),
    _beside("parking", "locker", NEAR_NUMBERS, "My parking spot is number {a}.", "My locker number is {b}."),
    _beside(
        "membership", "phone plan", NEAR_PRICES, "My gym membership is ${a} a month.", "My phone plan is ${b} a month."
    ),
    _beside("rent", "insurance", NEAR_PRICES, "My rent is ${a} a month.", "My car insurance is ${b} a year."),
    _beside("bus", "house number", NEAR_NUMBERS, "I take bus {a} to work.", "My house number is {b}."),
    Pattern(
        ("My dentist appointment is on {a}.",),
        ("My driving test is on {b}.", "I have an eye exam on {b}.", "My mother's birthday is on {b}."),
        {"a,b": DATES},
        BOTH,
        "dates",
    ),
)

NEAR = (
    Kind(
        "near: somebody else moved",
        (
            _home(
                "My sister moved to {b}.",
                "My best friend just moved to {b}.",
                "A colleague of mine has relocated to {b}.",
                "My parents live in {b} now.",
                "My sister called yesterday. She moved to {b}.",
                "Our neighbours moved to {b} last week.",
                "My ex lives in {b} now.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: might move",
        (
            _home(
                "I might move to {b}.",
                "I'm thinking of moving to {b}.",
                "I'm considering a move to {b}.",
                "I would love to move to {b}.",
                "Maybe I'll move to {b} one day.",
                "We've been talking about moving to {b}.",
                "I could see myself living in {b}.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: staying",
        (
            _home(
                "This week I'm staying in {b}.",
                "I'm in {b} for work this week.",
                "I'm staying at a hotel in {b} until Friday.",
                "I'm visiting {b} for a few days.",
                "I'm at a conference in {b} right now, back home on Sunday.",
                "I'm spending the weekend in {b}.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: question",
        (
            _home(
                "Should I move to {b}?",
                "Do you think I should move to {b}?",
                "What's it like to live in {b}?",
                "Would it be cheaper if I lived in {b}?",
                "Have you heard that people are moving to {b}?",
            ),
            _job("Should I take a job at {b}?", "Is it a good idea to work at {b}?"),
        ),
        near=True,
    ),
    Kind(
        "near: fiction",
        (
            _home(
                "In my novel, I live in {b} and hunt ghosts.",
                "In the game I moved to {b} and opened a bakery.",
                "In my dream last night I lived in {b}.",
                "I'm writing a story where I move to {b}.",
                "Let's pretend I live in {b}.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: quoted speech",
        (
            _home(
                'My boss said "I moved to {b} last month".',
                'The poster says "I live in {b} and I love it".',
                'The song goes "I moved to {b} now".',
                'She told me: "I live in {b} now."',
            ),
        ),
        near=True,
    ),
    Kind(
        "near: conditional",
        (
            _home(
                "If I moved to {b}, I'd need a car.",
                "I'd be happier if I lived in {b}.",
                "If we ever move to {b}, I'll learn to sail.",
                "I would only move to {b} for a dream job.",
            ),
            _rent("If my rent goes up to {b}, I can't pay it.", "My rent would be {b} if I took the bigger flat."),
        ),
        near=True,
    ),
    Kind(
        "near: wish",
        (
            _home(
                "I wish I lived in {b}.",
                "I'd love to live in {b}.",
                "It's my dream to live in {b}.",
                "I want to live in {b} some day.",
                "I hope to move to {b} eventually.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: long ago",
        (
            _home(
                "When I lived in {b} as a child, we had a dog.",
                "I used to live in {b}.",
                "I grew up in {b}.",
                "I lived in {b} before that.",
                "Years ago I moved to {b} for a job, but I came back.",
            ),
            _job(
                "I used to work at {b}.", "Back when I worked at {b} we had free lunch.", "Before that I worked at {b}."
            ),
            _rent("My rent used to be {b}.", "Five years ago my rent was {b}."),
        ),
        near=True,
    ),
    Kind(
        "near: plan",
        (
            _home(
                "I plan to move to {b} next year.",
                "I'm moving to {b} next summer.",
                "We're going to move to {b} in the autumn.",
                "I'm planning to relocate to {b} when I retire.",
            ),
            _job("I'm going to start at {b} in the spring.", "I plan to apply to {b} next month."),
        ),
        near=True,
    ),
    Kind(
        "near: used to living here",
        (
            _home(
                "I'm used to living in {a} now.",
                "I've got used to living in {a}.",
                "I'm getting used to life in {a}.",
                "I'm used to the rain in {a}.",
                expect=UNTOUCHED,
            ),
        ),
        near=True,
    ),
    Kind(
        "near: no change",
        (
            _home(
                "I didn't move to {b} after all.",
                "I haven't moved, I'm still in {a}.",
                "I don't want to move to {b}.",
                "I would never move to {b}.",
                "I almost moved to {b}.",
                "I'm not moving to {b}.",
            ),
            _rent("My rent didn't go up to {b}, thankfully.", "My rent is still {a}."),
            _job("I turned down the offer from {b}.", "I didn't take the job at {b}.", "I still work at {a}."),
        ),
        near=True,
    ),
    Kind("near: digits", DIGITS, near=True),
    Kind(
        "near: another slot",
        (
            _home(
                "I was born in {b}.",
                "I bought a holiday cottage in {b}.",
                "I go to {b} every summer.",
                "My bank is in {b}.",
                expect=UNTOUCHED,
            ),
            _rent("I pay {b} a month for childcare.", "I now pay {b} a month in alimony.", expect=UNTOUCHED),
        ),
        near=True,
    ),
    Kind(
        "near: don't forget",
        (
            Pattern(
                ("I live at {a}.", "My address is {a}."),
                (
                    "Don't forget my birthday is on {b}.",
                    "Please don't forget, my birthday is {b}.",
                    "Never forget that my birthday is on {b}.",
                ),
                {"a": ADDRESSES, "b": DATES},
                BOTH,
                "birthday",
            ),
            Pattern(
                ("My birthday is on {a}.",),
                (
                    "Don't forget my birthday!",
                    "Please don't forget my birthday.",
                    "My husband forgot my birthday last year.",
                ),
                {"a": DATES},
                UNTOUCHED,
                "birthday",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: forget the weather",
        (
            _home(
                "Forget the weather, let's talk about food.",
                "Forget it, never mind.",
                "I always forget my umbrella.",
                expect=UNTOUCHED,
            ),
            Pattern(
                ("My locker code is {a}.", "The PIN for my card is {a}."),
                (
                    "I forgot my locker code again, good thing you know it.",
                    "I keep forgetting my PIN.",
                    "I forgot my keys at the office.",
                    "I'll never forget my first day at school.",
                    "Did I forget to tell you my PIN?",
                ),
                {"a": PINS},
                UNTOUCHED,
                "pin",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: somebody else's taste",
        (
            _taste(
                "My husband can't stand {a}.",
                "My sister doesn't like {a} any more.",
                "My flatmate hates {a}.",
                "My best friend has gone off {a}.",
                "My boss isn't a fan of {a} any more.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: a narrower dislike",
        (
            Pattern(
                ("I like {a}.", "I love {a}."),
                ("I don't like {a} with {b}.", "I can't stand {a} with {b}."),
                {"a+b": ("tea / milk", "pasta / pesto", "pancakes / ketchup", "sushi / mayonnaise", "popcorn / sugar")},
                UNTOUCHED,
                "taste",
            ),
            Pattern(
                LIKES,
                (
                    "I didn't have time for {a} this week.",
                    "I'm not in the mood for {a} today.",
                    "Would you believe some people hate {a}?",
                ),
                {"a": TASTES},
                UNTOUCHED,
                "taste",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: somebody else's number",
        (
            _rent(
                "My brother's rent went up to {b}.",
                "My sister pays {b} a month in rent now.",
                "My landlord's own rent is now {b}.",
                "My rent might go up to {b}.",
                "The landlord is thinking of raising my rent to {b}.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: somebody else's job",
        (
            _job(
                "My wife started at {b} last week.",
                "A friend of mine works at {b} now.",
                "I have an interview at {b} tomorrow.",
                "I might apply to {b}.",
                "My brother left {a} and joined {b}.",
            ),
        ),
        near=True,
    ),
    Kind(
        "near: drink",
        (
            _drink(
                "My husband switched to {b}.",
                "I might switch to {b}.",
                "I'm thinking about switching to {b}.",
                "Should I switch to {b}?",
                "My doctor says people should switch to {b}.",
            ),
        ),
        near=True,
    ),
)

"""The beginning of a clause: words that only greet are dropped, words of time go to the end, a few turns are reshaped."""

from __future__ import annotations

import re

_TALK = re.compile(
    r"^(?:oh|ok(?:ay)?|hi|hey|hello|hiya|well|so|and|but|also|btw|by the way|fyi|yes|yeah|yep|no|nope|nah|actually|sorry|anyway|anyways|just so you know"
    r"|for the record|please note(?: that)?|note that|please remember(?: that)?|remember(?: that)?|keep in mind(?: that)?|just to let you know"
    r"|you should know(?: that)?|i wanted to (?:say|tell you|let you know)(?: that)?|i should mention(?: that)?|update|quick update|good news|great news|bad news"
    r"|big news|news|correction|guess what|honestly|to be honest|unfortunately|sadly|luckily|fortunately|finally|turns out|it turns out(?: that)?|hmm+|ah|wow|yay"
    r"|thanks|thank you|because|since then|then|in fact|the thing is|fun fact|about me|anyhow|though|however|plus|look|listen|good morning|good evening"
    r"|small update|life update|heads up|as it happens|first|second|third|of course|clearly|obviously|nice to meet you|good afternoon|i mean|you know|see|alas|great|right"
    r"|dear diary|still|more importantly|in other news|on another note|speaking of which|that said|having said that|incidentally)(?:\s*[,:;!.—–-]+\s*|\s+)",
    re.IGNORECASE,
)
_SUBJECT = r"(?=(?:i|we|my|our|both my)\b)"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_TIME = re.compile(
    r"^(?P<time>(?:late |early |earlier )?(?:last|this|next) (?:week|weekend|month|year|night|morning|spring|summer|autumn|fall|winter|\w+day|"
    + _MONTH
    + r")|yesterday|today|tomorrow|tonight|now|right now|currently|these days|nowadays|recently|lately|from now on|at the moment|for now"
    r"|as of (?:now|today|this \w+|yesterday|last \w+|\d{1,2} \w+)|since [^,]{3,40}|(?:back )?in (?:early |late |mid-?)?"
    + _MONTH
    + r"(?: \d{4})?|(?:back )?in \d{4}"
    r"|on (?:\w+days?|\d{1,2} \w+|\w+ \d{1,2}(?:st|nd|rd|th)?)|(?:about |around )?(?:\d+|an?|one|two|three|four|five|six|a few|several|many) (?:days?|weeks?|months?|years?) ago"
    r"|every (?:morning|day|evening|night|week|weekend|month|year|summer|winter|\w+day)|most (?:mornings|days|evenings|weekends|nights)|after [^,]{3,60}|before [^,]{3,40}"
    r"|(?:on|at) (?:the )?weekends?|in the (?:mornings?|evenings?|afternoons?|summer|winter)|at \d[^,]{0,10}|sometimes|usually|generally|normally|over the (?:weekend|summer)|during [^,]{3,40}"
    r"|until [^,]{3,30}|when i [^,]{3,60}|growing up|as a (?:kid|child|student|teenager)|once|originally|previously|before that|back then),?\s+"
    + _SUBJECT,
    re.IGNORECASE,
)
_OWN = r"(?P<np>(?:[\w-]+ ){0,2}(?:rent|mortgage|appointment|salary|meeting|interview|exam|check-?up|flight|surgery|class|lesson|subscription|membership|insurance|shift))"
_DONE = re.compile(
    r"^(?:(?:the|my|our) (?!\w+ (?:and|or) )[\w-]+(?: [\w-]+)?|they|he|she) (?:has |have |just |had to |recently |finally )*(?P<verb>raised|increased|moved|rescheduled|lowered|reduced|pushed"
    r"|postponed|bumped|cut|hiked|changed|shifted|delayed)(?: up| back| forward| down)? (?:my|our|the) "
    + _OWN
    + r"(?: up| back| forward| down)?(?P<rest>(?: from .{1,30}?)? to .+)$",
    re.IGNORECASE,
)
_I_MOVED = re.compile(
    r"^(?:I|we)(?:'ve| have)?(?: had to| just| already)* (?P<verb>moved?|rescheduled?|pushed|postponed?|changed?|shifted|delayed) (?:my|our|the) "
    + _OWN
    + r"(?P<rest>(?: from .{1,30}?)? (?:back )?to .+)$",
    re.IGNORECASE,
)
_THE = re.compile(
    r"^the (?P<np>(?:monthly )?rent|(?:dentist|doctor|doctor's|dental|vet) appointment|landlord)\b", re.IGNORECASE
)
_CALL = re.compile(
    r"^(?:(?:[Pp]lease|just|[Yy]ou can|[Yy]ou may|you could|[Ff]eel free to) )*[Cc]all me (?P<name>[A-Z][\w'-]+)(?:,? please|,? thanks)?$"
)
_FRAGMENT = re.compile(
    r"^(?P<who>dentist|doctor|doctor's|gp|vet|optician|hairdresser|physio|therapist|haircut)(?:'s)?(?: appointment)? (?P<when>(?:tomorrow|today|on|at|next|this)\b.*)$",
    re.IGNORECASE,
)
_LOWER = re.compile(r"^i(?=[\s'])")


def is_time(text: str) -> bool:
    """Is the whole text a word of time that may stand before a subject ("Last week")?"""
    return _TIME.match(text.strip(" ,") + " I") is not None


def plain(clause: str, implied: bool = False) -> str:
    """The clause as "I …" or "My …", where it is one."""
    text = clause.replace("’", "'").strip()
    if implied:
        return f"I {text}"
    text = _reshaped(_without_talk(text))
    if found := _TIME.match(text):
        time = found["time"]
        rest = _without_talk(text[found.end() :])
        return f"{_LOWER.sub('I', rest)} {time[0].lower()}{time[1:]}"
    return _LOWER.sub("I", text)


def _without_talk(text: str) -> str:
    for _ in range(4):
        found = _TALK.match(text)
        if not found or (
            found[0].strip(" ,").casefold() == "still" and not text[found.end() :].casefold().startswith(("i ", "my "))
        ):
            return text
        text = text[found.end() :]
    return text


def _reshaped(text: str) -> str:
    """ "My landlord raised the rent to 990" says of the rent that it was raised to 990."""
    if found := _DONE.match(text) or _I_MOVED.match(text):
        verb = found["verb"].casefold()
        return f"My {found['np']} was {verb if verb.endswith(('ed', 'cut')) else verb + 'd'}{found['rest']}"
    if found := _CALL.match(text):
        return f"I want to be called {found['name']}"
    if found := _FRAGMENT.match(text):
        return f"I have a {found['who'].casefold()} appointment {found['when']}"
    return _THE.sub(lambda m: f"My {m['np']}", text)

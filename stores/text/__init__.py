"""The language leaf: tables and pure functions on texts, English and Chinese. Prompts may import it too.

Every function takes any text; other languages are kept whole and compared by their words.
"""

from scrubjay.stores.text.cleaning import clean, fold, language, normalise, plain
from scrubjay.stores.text.compare import differences, richer
from scrubjay.stores.text.cues import asks_to_forget, bound_spans, bounds, change_cues, has_change_cue, has_past_cue
from scrubjay.stores.text.days import covers, dates, weekdays
from scrubjay.stores.text.naming import has_name, mentions_subject, names
from scrubjay.stores.text.polarity import denials, negated, polarity
from scrubjay.stores.text.quantities import numbers
from scrubjay.stores.text.rendering import LIMIT, Rendered, render
from scrubjay.stores.text.timeline import compare_dates
from scrubjay.stores.text.words import content_stems, query_tokens, search_tokens, shares_stem

__all__ = [
    "LIMIT", "Rendered", "asks_to_forget", "bound_spans", "bounds", "change_cues", "clean", "compare_dates",
    "content_stems", "covers", "dates", "denials", "differences", "fold", "has_change_cue", "has_name", "has_past_cue",
    "language", "mentions_subject", "names", "negated", "normalise", "numbers", "plain", "polarity", "render", "richer",
    "query_tokens", "search_tokens", "shares_stem", "weekdays",
]  # fmt: skip

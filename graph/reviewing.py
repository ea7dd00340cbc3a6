"""Reviewing what waits: a person's word becomes a write of its own. No graph runs and no model is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from scrubjay.nodes.answers import answer
from scrubjay.nodes.settling import Asked, Settled, open_proposal, settling
from scrubjay.nodes.vectors import TextVectors
from scrubjay.stores.errors import EmbedderError, StoreBusy, UnknownName
from scrubjay.stores.protocol import Store
from scrubjay.stores.records import Commit, Committed, WriteRow

ATTEMPTS = 20
"""times that the change is looked at anew because the store moved in between"""


@dataclass(frozen=True)
class Reviewer:
    """What a review needs of a Memory."""

    store: Store
    vectors: Callable[[], TextVectors]
    """asked only where a text needs a vector"""
    clock: Callable[[], datetime]
    new_id: Callable[[datetime], str]

    def review(self, proposal_id: str, verdict: str, text: str | None, user_id: str | None) -> WriteRow:
        """The write that settled the proposal; raises as Memory.review says, and changes nothing then."""
        said = answer(verdict, text)
        found = open_proposal(self.store, proposal_id)
        if user_id not in (None, found.scope.user_id):
            raise UnknownName("proposal", proposal_id, f"user {user_id} has none of that id")
        now = self.clock()
        asked = Asked(f"w_{self.new_id(now)}", now.isoformat(timespec="milliseconds"), proposal_id, said)
        for _ in range(ATTEMPTS):
            made = self.store.picture(partial(settling, asked=asked))
            done = self.store.commit(self.embedded(made, proposal_id))
            if isinstance(done, Committed):
                return done.write
        raise StoreBusy(f"the store kept moving under the review of {proposal_id}, which stays open: try again")

    def embedded(self, made: Settled, proposal_id: str) -> Commit:
        """With its vectors; raises EmbedderError where the new text has none: it would not be found by meaning."""
        if not made.texts:
            return made.commit
        vectors, problems = self.vectors().of(made.texts)
        if made.takes_place is not None and made.takes_place not in vectors:
            raise EmbedderError(
                f"the text of proposal {proposal_id} could not be embedded, so that nothing was changed and it stays "
                f"open: try again when the embedder answers ({'; '.join(problems)})"
            )
        return replace(made.commit, embedded=tuple(vectors.items()))

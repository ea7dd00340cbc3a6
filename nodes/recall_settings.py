"""What a recall may be told; read from the same places as a write's settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, ValidationError

from scrubjay.nodes.settings import check_scope, first_fault
from scrubjay.stores.errors import InvalidFilter, InvalidInput
from scrubjay.stores.records import FactType, Filters, Scope

LIMIT, BUDGET = 5, 400
MOST, LARGEST = 50, 100_000


class RecallFilters(BaseModel):
    """What the search is narrowed by; other keys are refused."""

    model_config = ConfigDict(extra="forbid")

    conversation_id: StrictStr | None = None
    run_id: StrictStr | None = None
    types: list[FactType] = Field(default_factory=list)
    subject: StrictStr | None = None
    metadata: dict[str, StrictStr | StrictBool | StrictInt | StrictFloat | None] = Field(default_factory=dict)

    def as_filters(self) -> Filters:
        return Filters(
            self.conversation_id, self.run_id, tuple(self.types), self.subject, tuple(sorted(self.metadata.items()))
        )


class RecallContext(BaseModel):
    """Settings of a recall, as Studio shows them. Every field may also stand in the input or in `configurable`."""

    model_config = ConfigDict(extra="ignore")

    user_id: str | None = Field(default=None, description="whose memory this is; needed for every recall")
    agent_id: str = Field(default="", description="a second part of the scope, for several agents of one user")
    strategy: str = Field(default="joint", description="its `recency` decides how much newer memories are preferred")
    limit: Annotated[StrictInt, Field(ge=1, le=MOST)] = Field(default=LIMIT, description="memories at most")
    budget_tokens: Annotated[StrictInt, Field(ge=1, le=LARGEST)] = Field(
        default=BUDGET, description="tokens of the whole block at most: a CJK character is one, four others are one"
    )
    filters: RecallFilters = Field(default_factory=RecallFilters, description="what the search is narrowed by")

    @property
    def scope(self) -> Scope:
        return Scope(self.user_id or "", self.agent_id)


def merge_recall(*layers: Mapping[str, Any]) -> RecallContext:
    """Later layers win; keys that are not ours are ignored. Raises InvalidScope, InvalidFilter, InvalidInput."""
    merged: dict[str, Any] = {}
    for layer in layers:
        merged |= {k: v for k, v in layer.items() if k in RecallContext.model_fields and v is not None}
    check_scope(merged)
    return validated(merged)


def validated(given: Mapping[str, Any]) -> RecallContext:
    try:
        return RecallContext.model_validate(given)
    except ValidationError as error:
        refused = InvalidFilter if error.errors()[0]["loc"][0] == "filters" else InvalidInput
        raise refused(f"recall setting {first_fault(error)}") from None

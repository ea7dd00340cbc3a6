"""The embedded decider: a small deterministic extractor and judge, for trying, tests and benchmarks without a key."""

from scrubjay.graph.rules.decider import RulesDecider

__all__ = ["RulesDecider"]

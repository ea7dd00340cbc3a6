"""Graph: the write graph, the recall graph, strategies, deciders and the Memory class."""

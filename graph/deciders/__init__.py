"""Who answers requests: one module each, imported where it is used (the chat decider is slow to import)."""

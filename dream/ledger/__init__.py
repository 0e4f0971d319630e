"""The one log and its one write door; all stores are projections of it."""

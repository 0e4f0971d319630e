"""One night's work: orient, gather, consolidate, prune."""

"""The write door: an append-only signed log, and the checks that it is what was written."""

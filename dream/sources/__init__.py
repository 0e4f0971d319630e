"""Everything the night may read: transcripts the hooks missed, and what has been read already."""

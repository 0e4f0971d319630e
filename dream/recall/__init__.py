"""Search over nodes and notes, and the bundle of context a session starts with."""

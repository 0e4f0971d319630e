"""What hooks may import: standard library only, 3.9 syntax, cheap to start; it never fails a session."""

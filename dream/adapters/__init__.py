"""Ports made of something: one file per technology, named by it; only `dream.compose` imports them."""

"""Rules and values: pure functions of what they are given; no clock, no file, standard library only."""

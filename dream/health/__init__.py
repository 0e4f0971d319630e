"""How the house is: what `dream health` shows and what `dream doctor` checks."""

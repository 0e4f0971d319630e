"""Word lists, general French and English: a two-language lexicon, common word forms, verbs that ask for a task."""

"""Relations that a sentence states in so many words: `X depends on Y`, `X s'occupe de Y`. Cheap and careful.

A relation is read only where a phrase of the closed list stands between two short noun phrases; a sentence that denies,
asks or supposes states none. What the phrases are worth beside a model's draft is measured, not assumed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dream.model.graph import Relation


@dataclass(frozen=True, slots=True)
class Stated:
    """`source` stands to `target` in the relation, both in the sentence's words."""

    source: str
    relation: Relation
    target: str


_R = Relation
# (relation, whether the phrase is read from right to left, phrases)
_PHRASES: tuple[tuple[Relation, bool, str], ...] = (
    (
        _R.DEPENDS_ON,
        False,
        r"depends?\s+(?:up)?on|relies\s+on|rely\s+on|needs|requires|dépend(?:ent)?\s+(?:de|d'|du|des)"
        r"|repose(?:nt)?\s+sur|a\s+besoin\s+(?:de|d'|du|des)|nécessite(?:nt)?",
    ),
    (
        _R.CAUSES,
        True,
        r"(?:is|are|was|were)\s+(?:caused\s+by|due\s+to)|comes?\s+from|came\s+from|stems?\s+from"
        r"|(?:est|sont|était|étaient)\s+(?:causée?s?\s+par|due?s?\s+(?:à|au|aux))"
        r"|(?:vient|viennent|venait|venaient|provient|provenait)\s+(?:de|d'|du|des)",
    ),
    (
        _R.CAUSES,
        False,
        r"causes?(?!\s+(?:of|de|du)\b)|caused|leads?\s+to|led\s+to|triggers?|cause(?:nt)?(?!\s+(?:of|de|du)\b)|provoque(?:nt)?|entraîne(?:nt)?",
    ),
    (_R.FIXES, False, r"fixes|fixed|solves|solved|cures|corrige(?:nt)?|résou(?:t|dent)|répare(?:nt)?|règle(?:nt)?"),
    (_R.IMPLEMENTS, False, r"implements?|implémente(?:nt)?|réalise(?:nt)?|met(?:tent)?\s+en\s+œuvre"),
    (
        _R.PART_OF,
        False,
        r"(?:is|are)\s+(?:a\s+)?part\s+of|belongs?\s+to|fait\s+partie\s+(?:de|d'|du|des)"
        r"|font\s+partie\s+(?:de|d'|du|des)|appart(?:ient|iennent)\s+(?:à|au|aux)",
    ),
    (_R.OWNS, True, r"(?:is|are)\s+owned\s+by|(?:est|sont)\s+(?:tenue?s?|gérée?s?|suivie?s?)\s+par"),
    (
        _R.OWNS,
        False,
        r"owns?|(?:is|are)\s+(?:in\s+charge\s+of|responsible\s+for)|takes\s+care\s+of|looks\s+after"
        r"|maintains?|possèdent?|possède|(?:est|sont)\s+(?:responsables?|en\s+charge)\s+(?:de|d'|du|des)"
        r"|s'occupe(?:nt)?\s+(?:de|d'|du|des)|gère(?:nt)?",
    ),
    (
        _R.USES,
        False,
        r"uses?|runs\s+on|is\s+built\s+(?:on|with)|utilise(?:nt)?|tourne(?:nt)?\s+sur"
        r"|s'appuie(?:nt)?\s+sur|se\s+sert\s+(?:de|d'|du|des)|passe(?:nt)?\s+par",
    ),
)
_READ = tuple((relation, back, re.compile(rf"(?i)(?<![\w'])(?:{phrase})(?!\w)")) for relation, back, phrase in _PHRASES)
_COMES = re.compile(r"(?i)(?:com|cam|vien|ven|provien|proven|stem)")
_FAULT = re.compile(
    r"(?i)\b(?:outage|bug|error|failure|fault|leak|crash|problem|issue|delay|slowness|noise|panne|erreur|échec|défaut"
    r"|fuite|plantage|problème|retard|lenteur|bruit|incident|souci|anomalie)s?\b"
)
_STOP = re.compile(
    r"(?i)[,;:.!?()\n]|\s(?:and|but|because|so|when|if|since|while|which|that|who|et|mais|parce|car|donc|quand|si|comme"
    r"|qui|que|dont|depuis|to|for|in|at|on|pour|dans|from|by|with|avec)\s"
)
_NOT = re.compile(
    r"(?i)\b(?:not|never|no\s+longer|n't|neither|ne|n'|pas|plus|jamais|aucune?|maybe|perhaps|peut-être|might|could"
    r"|would|pourrai\w*|if|si|whether)\b|n't\b|\?"
)
_ARTICLE = re.compile(
    r"(?i)^(?:the|a|an|our|my|your|their|his|her|its|le|la|les|l'|un|une|des|du|de|d'|notre|nos|mon|ma|mes|son|sa|ses"
    r"|leur|leurs|ce|cet|cette|ces|this|these|that|those|both|all)\s*(?<=['\s])"
)
_PRONOUN = re.compile(
    r"(?i)^(?:it|this|that|these|those|he|she|they|we|you|i|there|which|who|what|il|elle|ils|elles|on|nous|vous|tu|je|j"
    r"|ça|ca|cela|c|ceci|y|en|everything|something|someone|tout|rien)\b"
)
MOST = 600
"""Characters that are read: no statement is longer."""
_LEAD = re.compile(
    r"(?i)^(?:chez\s+nous|for\s+us|with\s+us|here|ici|now|currently|désormais|maintenant|actuellement|today|really)\b[\s,]*"
    r"|^(?:n'oublie\s+pas|retiens|remember|note|sache|rappelle-toi)\b[\s,:]*"
)
_FOR_US = re.compile(r"(?i)^(?:for|to)\s+(.+?)\s+(?:we|you|they)$|^pour\s+(.+?)\s+(?:on|nous|vous)$")
_SOMEONE = re.compile(r"(?i)\b(?:we|us|you|they|i|nous|vous|on|je|tu)\b")
LONGEST = 5
"""Words of an end; a longer one is no name of a thing."""


def stated(text: str) -> list[Stated]:
    """The relations a sentence states, in order of its words."""
    text = text[:MOST]
    found: list[tuple[int, Stated]] = []
    taken: list[tuple[int, int]] = []
    for relation, back, phrase in _READ:
        for match in phrase.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            before, after = _before(text[: match.start()]), _after(text[match.end() :])
            if _COMES.match(match[0]) and not _FAULT.search(before):
                continue  # a parcel comes from Lyon; an outage comes from its cause
            if before and after and before.casefold() != after.casefold():
                taken.append(match.span())
                ends = (after, before) if back else (before, after)
                found.append((match.start(), Stated(ends[0], relation, ends[1])))
    return [told for _, told in sorted(found, key=lambda each: each[0])]


def _before(text: str) -> str:
    """The noun phrase at the end of what stands before, "" where the clause denies or has none."""
    stops = list(_STOP.finditer(text))
    clause = text[stops[-1].end() :] if stops else text
    return "" if _NOT.search(clause) else _phrase(clause)


def _after(text: str) -> str:
    stop = _STOP.search(text)
    clause = text[: stop.start()] if stop else text
    asked = text.rstrip().endswith("?")
    return "" if asked or _NOT.search(clause) else _phrase(clause)


def _phrase(clause: str) -> str:
    words = " ".join(clause.split())
    if meant := _FOR_US.match(words):
        words = meant[1] or meant[2]
    previous = ""
    while previous != words:
        previous, words = words, _ARTICLE.sub("", _LEAD.sub("", words))
    if (
        not words
        or _SOMEONE.search(words)
        or _PRONOUN.match(words)
        or len(words.split()) > LONGEST
        or "[redacted" in words
    ):
        return ""
    return words.strip("«»\"'`“” ")

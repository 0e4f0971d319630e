"""Relations that a sentence states in so many words: `X depends on Y`, `X s'occupe de Y`. Cheap and careful.

A relation is read only where a phrase of the closed list stands between two short noun phrases; a sentence that denies,
asks or supposes states none. What the phrases are worth beside a model's draft is measured, not assumed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
    (
        _R.FIXES,
        True,
        r"(?:is|are|was|were|got)\s+(?:fixed|solved|cured|repaired)\s+by"
        r"|(?:est|sont|était|étaient|a\s+été|ont\s+été)\s+(?:corrigée?s?|résolue?s?|réparée?s?|réglée?s?)\s+(?:par|en)",
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
        r"|maintains?|maintien(?:t|nent)|possèdent?|possède|(?:est|sont)\s+(?:responsables?|en\s+charge)\s+(?:de|d'|du|des)"
        r"|s'occupe(?:nt)?\s+(?:de|d'|du|des)|gère(?:nt)?",
    ),
    (
        _R.USES,
        False,
        r"uses?|runs?\s+on|(?:is|are)\s+(?:built\s+(?:on|with)|written\s+in|based\s+on)|connects?\s+to"
        r"|utilise(?:nt)?|tourne(?:nt)?\s+(?:sur|sous)|(?:est|sont)\s+(?:écrit|codé|bâti|basé)e?s?\s+(?:en|sur)"
        r"|se\s+connecte(?:nt)?\s+(?:à|au|aux)"
        r"|s'appuie(?:nt)?\s+sur|se\s+sert\s+(?:de|d'|du|des)|passe(?:nt)?\s+par",
    ),
    (_R.RELATES_TO, False, r"(?:is\s+|are\s+)?work(?:s|ing)?\s+on|(?:travaille|bosse)(?:nt)?\s+sur"),
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
_ASKED = re.compile(
    r"^(?:please\s+)?(?:n'oublie[sz]?\s+pas|don't\s+forget|retiens|retenez|notez?|remember|sachez?)\b[\s:,]*(?:that\s+|que\s+|qu')?"
)
_FOR_US = re.compile(r"(?i)^(?:for|to)\s+(.+?)\s+(?:we|you|they)$|^pour\s+(.+?)\s+(?:on|nous|vous)$")
_CLEFT = re.compile(r"(?i)\b(?:c'est|it\s+is|it's)\s+([^,;:.!?]{1,60}?)\s+(?:qui|who|that|which)\s+")
_WE_USE = re.compile(
    r"(?i)\b(?:we|they|on|nous)\s+(?:use|utilise|utilisons)\s+(.+?)\s+(?:for|pour)\s+(.+?)(?=[,;:.!?()\n]|$)"
)
_NOUN_AHEAD = re.compile(r"(?i)(?:^|\s)(?:the|a|an|our|my|your|their|la|le|les|une?|des|du|notre|ma|mon|sa|cette|ce)$")
_SOMEONE = re.compile(r"(?i)\b(?:we|us|you|they|i|nous|vous|on|je|tu)\b")
LONGEST = 5
"""Words of an end; a longer one is no name of a thing."""


def stated(text: str) -> list[Stated]:
    """The relations a sentence states, in order of its words."""
    text = _CLEFT.sub(r"\1 ", text[:MOST].replace("’", "'"))
    found: list[tuple[int, Stated]] = []
    taken: list[tuple[int, int]] = []
    for match in _WE_USE.finditer(text):
        tool, work = _after(match[1]), _after(match[2])
        if tool and work and not _NOT.search(_clause(text[: match.start()])) and not text.rstrip().endswith("?"):
            taken.append(match.span())
            found.append((match.start(), Stated(work, Relation.USES, tool)))
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


def sides(text: str, relation: Relation) -> Iterator[tuple[str, str]]:
    """What stands on the source's and on the target's side of each phrase of `relation` that is not denied."""
    text = text[:MOST].replace("’", "'")
    taken: list[tuple[int, int]] = []
    for read, back, phrase in _READ:
        for match in phrase.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue  # `caused` inside of `was caused by`
            taken.append(match.span())
            before, after = text[: match.start()], text[match.end() :]
            if read is relation and not _NOT.search(_clause(before)) and not text.rstrip().endswith("?"):
                yield (after, before) if back else (before, after)


def is_thing(end: str) -> bool:
    """Whether an end is a noun phrase that names something: neither a pronoun nor `chez nous`."""
    return bool(_phrase(end.replace("’", "'")))


def has_subject(text: str, end: str) -> bool:
    """Whether a statement begins with this noun phrase, whatever article or wish to remember leads it."""
    plain, wanted = _ASKED.sub("", text.casefold().replace("’", "'")), end.casefold().replace("’", "'").split()
    words, bare = plain.split(), _ARTICLE.sub("", " ".join(plain.split())).split()
    return bool(wanted) and wanted in (words[: len(wanted)], bare[: len(wanted)])


def _before(text: str) -> str:
    """The noun phrase at the end of what stands before, "" where the clause denies or has none."""
    if _NOUN_AHEAD.search(text.rstrip()):
        return ""  # what looks like the verb is a noun: `forget the rule`
    clause = _clause(text)
    return "" if _NOT.search(clause) else _phrase(clause)


def _clause(text: str) -> str:
    """The clause at the end of what stands before."""
    stops = list(_STOP.finditer(text))
    return text[stops[-1].end() :] if stops else text


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

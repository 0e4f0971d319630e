"""Passwords said in a sentence, in French and English."""

from __future__ import annotations

from dream.capture.redact_rule import Rule, compiled
from dream.capture.redact_values import STATES, reference, shape, value_at

NOUN = (
    r"(?i)(?<![A-Za-z0-9_])(?:mots?[ -]de[ -]passe|mdp|pass ?words?|passwd|pwd|pass ?phrase|pass ?code|phrase (?:de passe|secr[èe]te)|"
    r"code (?:d'acc[èe]s|du|de la|de l'|des|wifi|pin|secret)|digicode|pin|identifiants?|credentials?|secret|cl[ée]|key|token|jeton)(?![A-Za-z0-9_])"
)
LINK = (
    r"(?:[ \u00a0][A-Za-zÀ-ÿ0-9'’_./-]{1,24}){0,6}?[ \u00a0]?"
    r"(?:\b(?:est|c['’]est|sera|devient|is|was|will be|to|remplac[ée] par|chang[ée] en)\b|[:=]|->|→|=>)"
    r"(?: (?:maintenant|now|toujours|still|d[ée]sormais|bien|set to|simply|just|juste))?[ \u00a0]{0,2}"
)


def said(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept what follows the noun and its link, quoted or with a password's shape."""
    begin, stop, quote = value_at(text, end)
    value = text[begin:stop]
    noun = text[start : start + 14].lower()
    if not value or reference(value) or value.lower() in STATES:
        return None
    level = shape(value)
    if compiled(r"secret|cl[ée]|key|token|jeton").match(noun):
        return (
            (begin, stop) if (level >= 3 and len(value) >= 12) or compiled(r"[a-f0-9]{24,}").fullmatch(value) else None
        )
    if " " in value:
        spoken = compiled(r"(?i)pass ?phrase|phrase").match(noun) and quote
        return (begin, stop) if spoken and len(value.split()) >= 3 else None
    return (begin, stop) if level >= 2 or (quote and level >= 1) else None


PROSE = (
    Rule(
        "password",
        "prose",
        "passe mdp pass pwd code pin identifiant credential secret cl key token jeton",
        NOUN + LINK,
        "",
        said,
    ),
    Rule("password", "prose", "passe mdp pass pwd", NOUN + r"[ \u00a0](?=[^ ]{6})", "", said),
)

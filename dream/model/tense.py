"""Does a sentence place a date behind it or ahead of it? By the verb nearest to the date, in French and English."""

from __future__ import annotations

import re

from dream.model.calendar import FUTURE, OPEN, PAST
from dream.model.folding import Folded

_LETTERS = r"a-zàâäçéèêëîïôöùûüœæ"

_FUTURE = re.compile(
    r"\b(?:will|shall|won't|going to|gonna|about to|supposed to|want(?:s)? to|aim(?:s)? to|hop(?:e|es|ing) to|plan(?:s|ning)?"
    r"|planned|scheduled|slated|due|must|should|can|could|might|need(?:s)? to|ha(?:s|ve) to|let's|to be|deadline|expected"
    r"|upcoming|remind)\b(?: (?:not|also|then|only|all|be|have|get|been))*(?: \w+)?"
    r"|'ll\b(?: (?:not|also|be|have))*(?: \w+)?"
    r"|\b(?:va|vas|vais|vont|allons|allez|doit|dois|doivent|devons|devez|faut|faudrait|devrait|peut|peux|pourra\w*) (?:\w+ )?\w+(?:er|ir|re|oir)\b"
    r"|\b(?:prevue?s?|planifiee?s?|programmee?s?|echeance|d'ici|bientot|rappelle|rappel)\b"
    r"|\b(?!vrai\b|bras\b|gras\b|embarras\b|front\b|affront\b|extra\b|infra\b|ultra\b|opera\b|camera\b|jira\b|contra\b|intra\b|supra\b"
    r"|clara\b|sara\b|laura\b|vera\b|terra\b|sierra\b|zebra\b|libra\b|hydra\b|fedora\b|pandora\b)\w{2,}r(?:ai|as|a|ons|ez|ont)\b"
)

_REPORTING = r"said|told|asked|agreed|confirmed|announced"
_NOT_PARTICIPLES = (
    r"need|seed|feed|speed|embed|bed|red|fed|led|sped|bleed|breed|deed|indeed|exceed|proceed|succeed|hundred|based|shared|used"
    r"|unused|shed|wed|naked|sacred|biased|zed|guaranteed|supposed|hosted|fixed|managed|distributed|typed|" + _REPORTING
)
_PAST = re.compile(
    r"\b(?:was|were|wasn't|weren't|had|hadn't|did|didn't|done|gone|been|went|made|took|sent|got|gave|came|saw|found|lost|broke"
    r"|began|became|ran|wrote|met|left|held|built|bought|kept|spent|won|led|fell|felt|paid|sold|drew|grew|blew|caught|chose|dealt"
    r"|drove|forgot|hid|rose|spoke|stood|taught|threw|understood|woke|swapped|ago|learnt|heard|started)\b"
    rf"|(?<!\bbe )(?<!\bis )(?<!\bare )(?<!\bto )\b(?!(?:{_NOT_PARTICIPLES})\b)\w{{2,}}ed\b"
    r"|\b(?:has|have|'ve)\b (?:\w+ )?(?:been|\w+ed|gone|done|made|taken|got|moved|become|left|built|set|put|run|come)\b"
    r"|\b(?:ai|as|a|avons|avez|ont)\b (?:(?:ete|deja|bien|enfin|pas|tous|toutes|tout|finalement|encore|aussi|vite|mal|rien|jamais) )*"
    r"(?!une?\b|le\b|la\b|les\b|des\b|du\b|ce\b|cette\b|son\b|sa\b|ses\b|notre\b|nos\b|votre\b|partir\b|compter\b|deux\b|trois\b|dix\b|six\b"
    r"|cause\b|cote\b|jour\b|midi\b|priori\b)\w+(?:e|ee|es|ees|i|ie|is|ise|it|ite|u|ue|us|ues|ert|erte|int|eint)\b"
    r"|\b(?:est|es|suis|sommes|etes|sont|s'est|m'est|se sont|me suis|on s'est) (?:(?:deja|bien|enfin|pas|tous|tout|finalement) )*"
    r"(?:partie?s?|passee?s?|arrivee?s?|entree?s?|sortie?s?|venue?s?|devenue?s?|revenue?s?|tombee?s?|nee?s?|morte?s?|restee?s?|montee?s?|rentree?s?"
    r"|retournee?s?|descendue?s?|ete)\b"
    r"|\b(?:s'est|se sont|me suis|s'etaient|nous sommes) (?:\w+ )?\w+(?:e|ee|es|ees|i|is|u|us|ue|it)\b"
    r"|\b(?:etait|etaient|etais|etions|avait|avaient|avais|avions|fut|furent|eut|viens? de|venons de|viennent de|depuis|c'etait|y a)\b"
    r"|\b(?!fait\b|parfait\b|souhait\b|\w*trait\b|\w*lait\b|plait\b|sait\b|\w*connait\b|\w*parait\b|satisfait\b|soit\b|\w*r(?:ait|aient)\b)\w{3,}(?:ait|aient)\b"
    r"|(?:^|[:(,;] ?)(?:deja |c'est |est )?(?:fait|faits|faite|faites|done|dit|mis|pris|fini|finie)\b"
)
# A French participle standing alone (« signé mardi ») shows by its accent.
_BARE_PARTICIPLE = re.compile(rf"(?<![{_LETTERS}])[{_LETTERS}]{{2,}}(?:é|ée|és|ées)(?![{_LETTERS}])")
_PASSIVE_PRESENT = re.compile(r"(?:\b(?:est|sont|soit|soient|etre|sera|seront|va etre)|,|\bet|\bou) $")
_PRESENT = re.compile(
    r"\b(?:is|are|am|isn't|aren't|goes|starts|begins|launches|opens|happens|takes place|comes|ends|closes|ships|lands|meets|moves"
    r"|becomes|replaces|leaves|joins|arrives|returns|switches|migrates|expires|stops|renews)\b|(?:'s|'re|'m)\b"
    r"|\b(?:est|sont|suis|sommes|demarre|commence|arrive|passe|part|sort|ouvre|ferme|finit|devient|remplace|quitte|prend|livre|lance|migre"
    r"|bascule|reprend|a lieu|ont lieu|se \w+e|on \w+e|nous \w+ons|je \w+e|j'\w+e|ils \w+ent)\b"
    r"|\b(?:we|i|they|you) (?!\w+ed\b)\w+\b"
)
_RESCHEDULED = re.compile(
    r"\b(?:moved|moves|moving|move|push(?:ed|ing)?|postponed?|rescheduled?|delayed|bumped|slipped|shifted|put off|brought forward|changed"
    r"|deferred|extended|advanced)\b[^.;!?\n]{0,60}\b(?:to|until|till|for|on)(?: the)? $"
    r"|\b(?:schedul\w+|planned|booked|set|due|slated|arranged|fixed|confirmed|agreed|deadline|invited|aiming)\b[^.;!?\n]{0,40}"
    r"\b(?:for|on|by|to)(?: the)? $"
    r"|\b(?:decal\w+|repouss\w+|report\w+|deplac\w+|avanc\w+|prolong\w+|recul\w+|repor\w+)\b[^.;!?\n]{0,60}(?:\b(?:a|au|pour|jusqu'au|jusqu'a)(?: le)? ?)$"
    r"|\b(?:prevu\w*|planifi\w+|programm\w+|cale|calee|cales|fixe|fixee|attendu\w*|convoqu\w+|invit\w+|rendez-vous|rdv)\b[^.;!?\n]{0,40}"
    r"(?:\b(?:a|au|pour|le|pour le) ?)?$"
)
_SINCE = re.compile(r"\b(?:since|depuis)(?: (?:the|le|la|l'|last))? ?$")
_FROM = re.compile(
    r"\b(?:from|as of|as from|starting(?: on| from)?|effective(?: from| on)?|beginning(?: on)?|by|no later than|before"
    r"|a (?:partir|compter|dater) (?:de|du|d')|des|d'ici(?: a| le| au)?|avant|au plus tard|pour|for)(?: (?:the|le|la|l'))? ?$"
)
_UNTIL = re.compile(r"\b(?:until|till|jusqu'(?:a|au|en))(?: (?:the|le|la|l'))? ?$")
_BREAK = re.compile(r"[.;!?](?=[ \n]|$)|\n")


def lean(text: Folded, start: int, end: int) -> int:
    """PAST, FUTURE, or OPEN where the sentence does not tell, for the date at `text.plain[start:end]`."""
    before = text.plain[max(0, start - 120) : start]
    if _SINCE.search(before):
        return PAST
    if _RESCHEDULED.search(before) or _FROM.search(before):
        return FUTURE
    first, last = _sentence(text.plain, start, end)
    found = _nearest_cue(text, first, last, start, end)
    if found == OPEN and _UNTIL.search(before):
        return FUTURE
    return found


def _sentence(plain: str, start: int, end: int) -> tuple[int, int]:
    low, high = max(0, start - 400), min(len(plain), end + 400)
    first = max((mark.end() for mark in _BREAK.finditer(plain, low, start)), default=low)
    after = _BREAK.search(plain, end, high)
    return first, after.start() if after else high


def _nearest_cue(text: Folded, first: int, last: int, start: int, end: int) -> int:
    sentence, accented = text.plain[first:last], text.accented[first:last]
    taken = [(start - first, end - first)]
    cues: list[tuple[int, int]] = []

    def note(matches: list[tuple[int, int]], value: int) -> None:
        for span in matches:
            if all(span[1] <= low or high <= span[0] for low, high in taken):
                taken.append(span)
                cues.append((_distance(sentence, span, (start - first, end - first)), value))

    note([match.span() for match in _FUTURE.finditer(sentence)], FUTURE)
    note([match.span() for match in _PAST.finditer(sentence)], PAST)
    bare = [match.span() for match in _BARE_PARTICIPLE.finditer(accented)]
    note([span for span in bare if not _PASSIVE_PRESENT.search(sentence[: span[0]])], PAST)
    note([match.span() for match in _PRESENT.finditer(sentence)], OPEN)
    return min(cues, key=lambda cue: (cue[0], -cue[1]), default=(0, OPEN))[1]


def _distance(sentence: str, cue: tuple[int, int], phrase: tuple[int, int]) -> int:
    """Characters between, and more for each border of a clause that lies between them."""
    low, high = (cue[1], phrase[0]) if cue[1] <= phrase[0] else (phrase[1], cue[0])
    between = sentence[low:high]
    borders = 20 * between.count(",") + 40 * between.count(" - ") + 60 * (between.count("(") + between.count(")"))
    words = sum(15 for word in (" but ", " mais ", " and ", " et ", " que ", " that ") if word in between)
    return len(between) + borders + words

"""How much load a sentence carries: a grade in whole hundredths and the signals that gave it.

The grade decides what is judged at night, never what can be found again (ADR 1). It is a cheap reading of one
sentence by its cue words; the night looks again with all the context it has.
"""

from __future__ import annotations

import re

from dream.capture import salience_tasks as tasks
from dream.capture import salience_words as words

JUDGED = 25  # a note of this load or more is judged at night

_WEIGHT = {
    "save": 40,
    "rule": 30,
    "norm": 20,
    "decision": 30,
    "update": 30,
    "fresh": 15,
    "label": 10,
    "retract": 30,
    "preference": 25,
    "collective": 10,
    "person": 20,
    "event": 15,
    "error": 15,
    "cure": 15,
    "repeat": 15,
    "definition": 25,
    "value": 15,
    "name": 15,
    "hypothetical": -60,
    "transient": -45,
    "one_off": -70,
    "hearsay": -50,
    "rejection": -50,
    "task": -60,
    "injection": -100,
}

_FOLD = str.maketrans(
    "àâäáãåçéèêëíìîïñóòôöõúùûüýÿœæ’‘ʼ",
    "aaaaaaceeeeiiiinooooouuuuyyoa'''",
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_LABEL = re.compile(r"\w\s*(?::|=|→|->|=>)\s+\S")
_POOL = re.compile(r"(?:\w+\s+){0,3}\w+\s*(?::|=|→)\s*\d+\s+\w+\W*\Z")
"""`Report pool: 3 processes`, though it opens with a verb."""
_CLAUSE = re.compile(r"\s*(?:[,;—–]|\s-\s)\s+")
_DEFINITION = re.compile(r"\S\s*(?::|=|→|->|=>)\s+\S|\s(?:is|are|means|stands for|est|sont|c'est|ce sont|signifie)\s")
_VALUE = re.compile(r"\d|[A-Za-z0-9]+[._/][A-Za-z0-9]+|[a-z]+[A-Z]\w*|`[^`]+`")
_NAME = re.compile(r"(?<=[\w,;:)'’] )[A-ZÀ-Þ][\w-]+|(?<=['’])[A-ZÀ-Þ][\w-]+")
_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"|`[^`]*`")
_ONE_OFF = re.compile(
    r"(?:only|just) (?:for|in|on) (?:this|that|today|the next)\b"
    r"|\b(?:for|in|on) (?:this|that)(?: one)? [\w-]+ (?:only|alone)\b"
    r"|(?:seulement|uniquement|juste|que) (?:pour|dans|sur) (?:ce|cet|cette|la prochaine)\b"
    r"|\b(?:pour|dans|sur) (?:ce|cet|cette) [\w'-]+ (?:seulement|uniquement)\b"
    r"|\b(?:only|just) (?:this|that) one\b|\b(?:this|that) one only\b|\bseulement (?:celui|celle)-(?:ci|la)\b"
)
_AIL = (
    r"(?:is|are|est|sont) (?:\w+ )?"
    r"(?:broken|blocked|dead|down|slow|stuck|off|late|absent|sick|bloque|casse|mort|lent|coupe|malade)"
)
_DOING = r"(?<!we )(?<!i )\b(?:is|are) \w+ing"
_TODAY = r"(?:today|this (?:morning|afternoon)|tonight|aujourd'hui|ce (?:matin|soir)|cet apres-midi)"
_AILING = re.compile(rf"\b{_AIL}\w*\b.*\b{_TODAY}\b|\b{_TODAY}\b.*\b{_AIL}\w*\b|{_DOING}\b.*\b{_TODAY}\b")
_CAUSED = re.compile(
    r"\b(?:was|were|went|fell|broke|stopped|had|etait|etaient|est|sont|a|ont) .*\b(?:because|parce qu)"
)
_WHEN = re.compile(
    r"^(?:we|nous|on) (?!had|have|will|met|talk|speak|saw|are|were|can|could)\w+ (?:\w+ )?"
    r"(?:when|whenever|quand|lorsque) "
)
_CONTRAST = re.compile(r"(?i)\w, (?:not|never|jamais|pas|sans|without|rien)\b \w")
_BACK = re.compile(
    r"(?i)^(?:allez|okay|ok|bon|right|anyway|bref|well|now|alors|back|retour|hop|so)\b[,:]?"
    r" (?:to |sur |au |aux |[àa] )?"
    r"(?:(?:the|le|la|les|our|notre|my|mon) |l['’])"
    r"(?:(?!is |are |was |has |est |sont |a )[\w'’-]+[ .!…]*){1,5}$"
)
"""Back to work, after a word that closes what was said: `Okay, the seat bug now.`"""
_PASSING = frozenset(("error", "fresh", "repeat", "collective"))
_TAG = re.compile(r"\[redacted:[^\]]*\]")


_ELIDED = ("l'", "d'", "n'", "s'", "j'", "c'", "qu'")
_STATES = frozenset(("is", "are", "was", "were", "est", "sont"))

_tables: dict[str, dict[str, list[tuple[tuple[str, ...], str]]]] = {}


def fold(text: str) -> str:
    """Lower case, no accents, straight apostrophes: how cues are written."""
    return text.lower().translate(_FOLD)


def _phrases(text: str) -> list[tuple[str, ...]]:
    return [tuple(_WORD.findall(phrase)) for phrase in text.replace("\n", " ").split("|") if phrase.strip()]


def _table(name: str) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """First word to the phrases (as tuples of words) that begin with it; built once, when first asked for."""
    if name not in _tables:
        if name == "cues":
            pairs = [(phrase, signal) for signal, text in words.CUES.items() for phrase in _phrases(text)]
        else:
            pairs = [(phrase, name) for phrase in _phrases(getattr(tasks if hasattr(tasks, name) else words, name))]
        table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, signal in pairs:
            table.setdefault(phrase[0], []).append((phrase, signal))
        _tables[name] = table
    return _tables[name]


def _found(
    tokens: list[str], name: str, start: int = 0, stop: int | None = None
) -> list[tuple[int, tuple[str, ...], str]]:
    """(index, phrase, signal) of each phrase of table `name` that begins in tokens[start:stop]."""
    table, hits = _table(name), []
    for index in range(start, len(tokens) if stop is None else min(stop, len(tokens))):
        for phrase, signal in table.get(tokens[index], ()):
            if tuple(tokens[index : index + len(phrase)]) == phrase:
                hits.append((index, phrase, signal))
    return hits


def _counts(tokens: list[str], index: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase of change says how much instead (`de plus de 30 kg`, `no more than 5`)."""
    before, after = tokens[index - 1 : index], tokens[index + len(phrase) : index + len(phrase) + 1]
    if phrase == ("plus", "de"):
        return before in (["de"], ["a"], ["pour"], ["en"], ["bien"], ["beaucoup"]) or (
            after != [] and after[0].isdigit()
        )
    return phrase == ("no", "more") and after == ["than"]


def language(tokens: list[str]) -> str:
    """`fr`, `en`, or "" where function words do not tell; tokens as lower-case words with their accents folded."""
    french = sum(token in words.FRENCH or token.startswith(_ELIDED) for token in tokens)
    english = sum(token in words.ENGLISH for token in tokens)
    if french == english:
        return ""
    return "fr" if french > english else "en"


def opens_with(text: str, name: str) -> bool:
    """Whether the sentence begins with a phrase of the table `name` (`YES`, `NO`)."""
    tokens = _WORD.findall(fold(text))
    return any(index == 0 for index, _, _ in _found(tokens, name, 0, 1))


def _lead(tokens: list[str]) -> int:
    """How many words of politeness and assent a sentence opens with."""
    start = 0
    polite = _table("POLITE")
    while start < len(tokens):
        fits = (len(p) for p, _ in polite.get(tokens[start], ()) if tuple(tokens[start : start + len(p)]) == p)
        step = max(fits, default=0)
        if not step:
            break
        start += step
    return start


def is_task(tokens: list[str]) -> bool:
    """Whether the sentence asks for a piece of work now (and not for something that lasts)."""
    if not tokens or _found(tokens, "LASTING"):
        return False
    start = _lead(tokens)
    opened = _found(tokens, "TASK_EN", start, start + 1) or _found(tokens, "TASK_FR", start, start + 1)
    if opened and not _STATES.isdisjoint(tokens[start + 1 : start + 3]):
        opened = []  # `test coverage is 82 %`: a noun that could be a verb
    if opened and _sets_a_limit(tokens[start:]):
        opened = []  # `put the retention at 30 days`: what it says lasts
    if opened and not words.HAPPENED.isdisjoint(tokens[start + 1 : start + 2]):
        opened = []  # `search went down`
    return bool(opened) or bool(_found(tokens, "TASK_TAIL"))


def _sets_a_limit(tokens: list[str]) -> bool:
    """Whether a request gives a setting its value: a number for a limit, a delay, a size."""
    counted = any(token[0].isdigit() or token in words.COUNTS for token in tokens)
    return counted and tokens[0] in tasks.SETTING and not tasks.LIMITS.isdisjoint(tokens)


def _asks(tokens: list[str]) -> bool:
    """Whether words open like a question nobody marked as one: by a question word, or a verb before its subject."""
    lead = _lead(tokens)
    if _found(tokens, "ASKING", lead, lead + 1):
        return True
    verb, after = (*tokens[lead : lead + 2], "", "")[:2]
    return (verb in words.BE and after not in words.SUBJECTLESS) or (verb in words.MODALS and after in words.SUBJECTS)


def _colon(text: str) -> int:
    """How many words stand before the last colon of a sentence."""
    return len(_WORD.findall(text[: max(text.rfind(": "), 0)]))


def asks_for_work(text: str) -> bool:
    """Whether a part of a sentence is a request."""
    return is_task(_WORD.findall(fold(text)))


def clauses(text: str) -> list[str]:
    """The parts of a sentence between commas, semicolons and dashes."""
    return _CLAUSE.split(text)


def _states_too(text: str) -> bool:
    """Whether a later part of a request states something (`put it in Zoho, that's where invoices are made`)."""
    for clause in clauses(text)[1:]:
        tokens = _WORD.findall(fold(clause))
        signals = {signal for _, _, signal in _found(tokens, "cues")}
        lasting = {"rule", "norm", "decision", "update", "person", "save"} & signals
        defines = _DEFINITION.search(f" {_QUOTED.sub('', clause)}")
        if len(tokens) > 4 and not is_task(tokens) and (lasting or defines):
            return True
    return False


def _orders(text: str) -> bool:
    """Whether the words of an order to the assistant stand outside quotation marks (who quotes one gives none)."""
    tokens = _WORD.findall(fold(_QUOTED.sub(" ", text)))
    return any(signal == "injection" for _, _, signal in _found(tokens, "cues"))


def grade(text: str, role: str) -> tuple[int, list[str], str]:
    """Grade one redacted sentence said by `role` (user, assistant).

    Returns:
        (load 0..100, signals sorted, language).
    """
    bare = _TAG.sub(" ", text)
    tokens = _WORD.findall(fold(bare))
    lang = language(tokens)
    signals = {signal for index, phrase, signal in _found(tokens, "cues") if not _counts(tokens, index, phrase)}
    if "injection" in signals and not _orders(bare):
        signals.discard("injection")
    if bare != text:
        signals.add("redacted")
    if not tokens or all(any(token == phrase[0] for phrase, _ in _table("CHATTER").get(token, ())) for token in tokens):
        return 0, sorted(signals & {"redacted"} | {"chatter"}), lang
    if signals <= _PASSING and not _VALUE.search(bare) and not _NAME.search(bare) and _BACK.match(bare.strip()):
        signals.add("chatter")
    question = bare.rstrip(" »\"')*_`").endswith("?") or _asks(tokens) or _asks(tokens[_colon(bare) :])
    if question:
        signals.add("question")
    if _DEFINITION.search(bare):
        signals.add("definition")
    if _LABEL.search(bare):
        signals.add("label")
    if _VALUE.search(bare) or not words.COUNTS.isdisjoint(tokens):
        signals.add("value")
    if _NAME.search(bare):
        signals.add("name")
    if _CAUSED.search(" ".join(tokens)):
        signals.add("error")
    if _WHEN.search(" ".join(tokens)) or _CONTRAST.search(bare):
        signals.add("norm")
    if tokens[:2] == ["surtout", "pas"]:
        signals.add("rejection")
    if _AILING.search(fold(bare)):
        signals.add("transient")
    if _ONE_OFF.search(fold(bare)):
        signals.add("one_off")
    if is_task(tokens) and not _states_too(bare) and not _POOL.match(bare):
        signals.add("task")
    load = sum(_WEIGHT.get(signal, 0) for signal in signals) + min(len(tokens), 8) * 2
    if question or (role != "user" and "proposal" not in signals):
        load = min(load, JUDGED - 1)
    if "chatter" in signals:
        load = min(load, JUDGED - 1)
    return max(0, min(100, load)), sorted(signals), lang

"""The sanitiser: what is secret in a text, and the text without it. Every way in passes here, and only once.

`redact` is idempotent: what it leaves holds nothing more to redact. `[redacted:kind]` stands where a secret was; with
the home's key the same secret gets the same short tag (`[redacted:github-token#k7qd]`), except kinds with so few
possible values that a tag could be guessed back.
"""

from __future__ import annotations

from dream.capture.redact_addresses import ADDRESSES
from dream.capture.redact_base64 import decode
from dream.capture.redact_beside import BESIDE
from dream.capture.redact_checks import opaque
from dream.capture.redact_context import CONTEXT
from dream.capture.redact_named import NAMED
from dream.capture.redact_numbers import NUMBERS
from dream.capture.redact_private import blocks
from dream.capture.redact_prose import PROSE
from dream.capture.redact_rule import Rule, compiled
from dream.capture.redact_tokens import TOKENS
from dream.capture.redact_values import MASK
from dream.capture.redact_views import View, escaping, percent_decoded, unescaped, unwrapped

TABLES: tuple[tuple[Rule, ...], ...] = (TOKENS, CONTEXT, NUMBERS, NAMED, ADDRESSES, PROSE, BESIDE)
RULES: tuple[Rule, ...] = tuple([rule for table in TABLES for rule in table])
MARK = r"\[redacted:[a-z0-9-]{1,40}(?:#[a-z2-7]{4})?\]"
UNTAGGED = frozenset(
    """phone ip-address card card-code iban bank-account pin nir siret ssn sin identity-number mac-address private
    password""".split()
)
ROUNDS = 8
REACH = 240


def spans(text: str) -> list[tuple[int, int, str]]:
    """What `redact` would remove: (start, end, kind), in code points of `text`, in order, without overlap."""
    return cleaned(text, None)[1]


def redact(text: str, key: bytes | None = None) -> tuple[str, dict[str, int]]:
    """The text without its secrets, and how many of each kind were removed.

    Args:
        key: 16 to 32 bytes of this home, for tags; None gives no tags.
    """
    clean, found = cleaned(text, key)
    counts: dict[str, int] = {}
    for _, _, kind in found:
        counts[kind] = counts.get(kind, 0) + 1
    return clean, counts


def cleaned(text: str, key: bytes | None) -> tuple[str, list[tuple[int, int, str]]]:
    """The text without its secrets, and the spans that were removed: `redact` and `spans` in one go.

    Scans until nothing is left. What is found counts as one character from then on, as its mark does when the clean
    text is scanned again: both scans see the same text, and the second finds nothing.
    """
    found: list[tuple[int, int, str]] = []
    marks = [(mark.start(), mark.end(), "") for mark in compiled(MARK).finditer(text)] if "[redacted:" in text else []
    for _ in range(ROUNDS):
        view, origins = _collapsed(text, merged(marks + found))
        more = scan(view)
        if not more:
            break
        found = merged(found + [(_origin(origins, start), _origin(origins, end), kind) for start, end, kind in more])
    return _written(text, found, key), found


def scan(text: str) -> list[tuple[int, int, str]]:
    """One pass over a text as it stands and as a reader sees it; spans may overlap."""
    found = matched(text)
    if "private" in text.lower():
        found += blocks(text)
    if escaping(text):
        read = unescaped(text)
        if read:
            found += _read(read)
    if "%" in text:
        decoded = percent_decoded(text)
        if decoded:
            found += _read(decoded)
    if "\n" in text:
        joined = unwrapped(text)
        if joined:
            found += _continued(joined, found)
    if long_words(text):
        found += _encoded(text)
    return found


def long_words(text: str) -> str:
    """The words of twenty characters or more, which every token is or stands in; in plain prose there are none."""
    return " ".join([word for word in text.split() if len(word) >= 20])


def _read(view: View) -> list[tuple[int, int, str]]:
    """What the rules find near the places where a view differs from its text; elsewhere the text itself was read."""
    found = []
    for low, high in view.windows(REACH):
        for start, end, kind in matched(view.text[low:high]):
            found.append((view.start(low + start), view.end(low + end), kind))
    return found


def _continued(view: View, whole: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Marked tokens that the ends of lines cut. One that is whole at the end of a line ends there, unless what follows
    looks drawn at random, or the line is long and digits follow."""
    found = []
    ends = {(end, kind) for _, end, kind in whole}
    cuts = view.places[1::2]  # for each break: where it is in the view, where its line ends in the text
    for start, end, kind in matched(view.text, (TOKENS,)):
        at, whole_here, crossed = view.first(start + 1) // 2, False, 0
        while at < len(cuts) and cuts[at][0] < end:
            here, line_end = cuts[at]
            after = cuts[at + 1][0] if at + 1 < len(cuts) else end
            piece = view.text[here : min(after, end)]
            line = max(cuts[at - 1][0] if at else 0, view.text.rfind("\n", 0, here) + 1)
            goes_on = (here - line >= 60 and any(map(str.isdigit, piece))) or (len(piece) >= 12 and opaque(piece))
            whole_here = (
                whole_here or (line_end, kind) in ends or (0 < crossed < 3 and _whole(view.text[start:here], kind))
            )
            if whole_here and not goes_on:
                end = here
                break
            at, crossed = at + 1, crossed + 1
        if crossed:
            found.append((view.start(start), view.end(end), kind))
    return found


def _whole(token: str, kind: str) -> bool:
    """Whether the beginning of a longer run is a token by itself."""
    return len(token) < 400 and any(end == len(token) and name == kind for _, end, name in matched(token, (TOKENS,)))


def _encoded(text: str) -> list[tuple[int, int, str]]:
    """Runs of base64 that hold a secret."""
    found = []
    for run in compiled(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}").finditer(text):
        head = decode(run.group()[:24])
        if not head.isascii() or not head.decode("ascii").isprintable():
            continue
        try:
            inner = decode(run.group()).decode("utf-8")
        except UnicodeDecodeError:
            continue
        kinds = [kind for _, _, kind in matched(inner, (TOKENS, CONTEXT))]
        if kinds:
            found.append((run.start(), run.end(), kinds[0]))
    return found


def matched(text: str, tables: tuple[tuple[Rule, ...], ...] = TABLES) -> list[tuple[int, int, str]]:
    """What the rules find in a text as it stands."""
    found: list[tuple[int, int, str]] = []
    digits = sum(map(text.count, "0123456789"))
    facts = [fact for fact, true in (("#4", digits >= 4), ("#9", digits >= 9)) if true]
    facts += [fact for fact, mark in ((":5", ":"), ("-5", "-")) if text.count(mark) >= 5]
    shared, matches = "", []
    for table in tables:
        hay = long_words(text) if table is TOKENS else text
        if not hay:
            continue
        low = hay.lower()
        for rule in table:
            for literal in rule.literals:
                if literal in low or literal in facts:
                    break
            else:
                for literal in rule.cased:
                    if literal in hay:
                        break
                else:
                    continue
            if rule.expression != shared:
                shared = rule.expression
                matches = list(compiled(shared).finditer(text))
            for match in matches:
                start, end = match.span(1 if match.lastindex else 0)
                bounds = rule.check(text, start, end) if rule.check else (start, end)
                if bounds and bounds[1] > bounds[0]:
                    found.append((bounds[0], bounds[1], rule.name))
    return found


def merged(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """In order and without overlap: spans that share a character become one, named after the longer."""
    out: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(found):
        if out and start < out[-1][1]:
            first, stop, name = out[-1]
            out[-1] = (first, max(stop, end), name if stop - first >= end - start else kind)
        else:
            out.append((start, end, kind))
    return out


def _collapsed(text: str, gone: list[tuple[int, int, str]]) -> tuple[str, list[tuple[int, int]]]:
    """The text with one character for each span, and where its pieces come from: (offset there, offset in `text`)."""
    if not gone:
        return text, [(0, 0)]
    pieces: list[str] = []
    origins: list[tuple[int, int]] = []
    at = size = 0
    for start, end, _ in gone:
        origins.append((size, at))
        origins.append((size + start - at, start))
        pieces += (text[at:start], MASK)
        size += start - at + 1
        at = end
    origins.append((size, at))
    pieces.append(text[at:])
    return "".join(pieces), origins


def _origin(origins: list[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(origins)
    while high - low > 1:
        middle = (low + high) // 2
        if origins[middle][0] <= offset:
            low = middle
        else:
            high = middle
    return origins[low][1] + offset - origins[low][0]


def _written(text: str, found: list[tuple[int, int, str]], key: bytes | None) -> str:
    if not found:
        return text
    pieces: list[str] = []
    at = 0
    for start, end, kind in found:
        pieces += (text[at:start], "[redacted:", kind, _tag(text[start:end], kind, key), "]")
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _tag(secret: str, kind: str, key: bytes | None) -> str:
    """Twenty bits of a keyed hash; none where the possible values are few enough to be tried one by one."""
    if key is None or kind in UNTAGGED or (kind in ("secret", "url-password") and len(secret) < 16):
        return ""
    from dream.capture.keyed import keyed_sha256

    digest = keyed_sha256(key, b"dream tag\0" + secret.encode("utf-8", "surrogatepass"))
    bits = int.from_bytes(digest[:3], "big")
    return "#" + "".join("abcdefghijklmnopqrstuvwxyz234567"[bits >> shift & 31] for shift in (15, 10, 5, 0))

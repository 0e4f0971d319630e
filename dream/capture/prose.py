"""Which lines of a message are prose, and which are code, a log, a table or something quoted.

A line that can be nothing else (a stack frame, a diff, a line of JSON) is left out wherever it stands; one that
only looks like code, only among three or more of its kind. Where it is unsure it keeps the line: a stray line of
output costs little, a lost sentence cannot be had back. Most tests are plain string tests, and an expression is
compiled only for a line that may need it: compiling costs a hook more than all the rest of this.
"""

from __future__ import annotations

import re

RUN = 3
"""Lines in a row that look like code before they count as code."""

_ANSI = "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-Z\\\\^_])"
_DROPPED = dict.fromkeys(
    [*range(9), *range(11, 32), *range(0x7F, 0x85), *range(0x86, 0xA0), 0x200B, 0x2060, 0xFEFF], None
)

_LEVEL = r"\s+\W?(?:DEBUG|INFO|WARN|ERROR|TRACE|FATAL|NOTICE)"
_STARTS = {  # by the first two characters, so that common prose meets no expression
    "at": r"at (?:.*\()?\S*[/\\]\S*:\d+(?::\d+)?\)?$|at [\w$.<> ]+\((?:[\w$]+\.\w+:\d+|<anonymous>|[Nn]ative\b.*)\)$",
    "Fi": r"File \"[^\"]*\", line \d",  # a frame of Python
    "Tr": r"Traceback \(most recent",
    "Th": r"The above exception was the direct cause",
    "Du": r"During handling of the above exception",
    "Te": r"Tests?(?: Suites)?:\s+\d.*(?:passed|failed|total)$",
    "Ti": r"Time:\s+[\d.]+ ?m?s$",
    "PA": r"PASS\s+\S*[/.]\S+",  # a test runner
    "FA": r"FAIL\s+\S*[/.]\S+",
    "DE": r"DEBUG(?::|\s+)[\w.]+:",
    "IN": r"INFO(?::|\s+)[\w.]+:",
    "di": r"diff --git ",
    "in": r"index [0-9a-f]{6,}\.\.",
    "np": r"npm ERR! ",
    "no": r"not ok \d",
    "@@": r"@@ -\d",
    "++": r"\+\+\+ (?:[ab]?/|\S+\t)",
    "--": r"--- (?:[ab]?/|\S+\t)",
    "dr": r"drwx\S+\s+\d",
    "lr": r"lrwx\S+\s+\d",
    "-r": r"-[r-][w-][xsS-][r-][w-]\S+\s+\d",
    "..": r"\.\.\. \d+ more$",
    "$ ": r"\$ [A-Za-z./_~]",
    "❯ ": r"❯ \S",
}
_FIRSTS = {
    "[": r"\[(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d\S*" + _LEVEL,
    "<": r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>(?:.*</[\w:-]+>)?$|<!--|<\?xml|<!DOCTYPE",
    '"': r"\"[^\"]+\"\s*:\s*(?:\"(?:[^\"\\]|\\.)*\"|-?\d[\d.eE+-]*|true|false|null|[\[{].*)\s*,?$",  # a member of JSON
}
_TIMED = r"\S .*\(\d+ ?m?s\)$"
_CLOCKED = r"(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d\S*" + _LEVEL

_CODE_WORDS = frozenset(
    "import export from const let var def class function return if for while try except elif else: async await public"
    " private static void fn func interface struct #include".split()
)
_VALUE_MARKS = frozenset("(){}[]=;'\"")
_CODE_MARKS = frozenset("(){}=;<")


def plain(text: str) -> str:
    """`text` with one kind of line end, without terminal codes, control characters and paired `**`."""
    if "\x1b" in text or "\x9b" in text:
        text = re.sub(_ANSI, "", text.replace("\x9b", "\x1b["))
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    if not text.replace("\n", "").isprintable():
        text = text.translate(_DROPPED)
    return re.sub(r"(?<!\*)\*\*(?!\*)(\S(?:[^*\n]*\S)?)\*\*(?!\*)", r"\1", text) if "**" in text else text


def prose_lines(text: str) -> list[str]:
    """The lines of plain text that are prose, each without its indent; "" stands where a block was left out."""
    lines = _outside_fences(text.split("\n"))
    bare_lines = [line.strip() for line in lines]
    in_run = _runs(bare_lines)
    kept: list[str] = []
    block = ""  # what a stack trace's frames, or a diff's hunk, go on with: an indent, or one of "+- "
    for line, bare, code in zip(lines, bare_lines, in_run):  # noqa: B905 - `strict` is not in Python 3.9
        if bare.startswith("Traceback (most"):
            block = " \t"
        elif bare.startswith("@@ -"):
            block = "+-@ \t"
        elif line[:1] not in block:
            block = ""  # the error itself stands unindented below its frames, and is worth keeping
        left_out = not bare or code or block or _is_quoted(bare) or is_output(bare)
        kept.append("" if left_out else bare)
    return kept


def _is_quoted(bare: str) -> bool:
    """Whether the line quotes something, in the way of mail; "> 90 %" does not."""
    return bare[0] == ">" and not bare[1:].lstrip()[:1].isdigit()


def is_output(bare: str) -> bool:
    """Whether a stripped line can be nothing but output, markup, a table row or a value of JSON."""
    first, last = bare[0], bare[-1]
    if first in "[]{}(),;|" and (not bare.strip("[]{}(),; ") or (first == "|" and last == "|")):
        return True
    if first in "{[" and last in "}]" and ('":' in bare or '" :' in bare or bare.startswith(('["', "[{", "[["))):
        return True
    if len(bare) > 200 and len(bare) > 50 * (bare.count(" ") + 1) and bare.isascii():
        return True  # a blob: words of prose are short (scripts without spaces are not ASCII)
    if first.isalpha() and "@" in bare and re.match(r"[\w.-]+@[\w.-]+[: ]\S*[$#] ", bare):
        return True  # a shell prompt
    expression = _STARTS.get(bare[:2]) or _FIRSTS.get(first)
    if expression is None and first.isdigit() and ":" in bare[:14]:
        expression = _CLOCKED
    if expression is None and first in "✓✔✗✘×●":
        expression = _TIMED
    return expression is not None and re.match(expression, bare) is not None


def looks_like_code(bare: str) -> bool:
    """Whether a stripped line is of the kind that, three in a row, is a pasted program, a diff or a build's output."""
    first, last = bare[0], bare[-1]
    if first in "+-" and bare[1:2] not in (first, " ", "\t", ""):
        return looks_like_code(bare[1:])  # an added or removed line; "-a bullet without a space" is prose
    if last in "{}" or bare.startswith(("//", "/*", "*/", "#!", "npm error ", "npm warn ", "npm WARN ")):
        return True
    if last == ":" and bare[:-1].rstrip().endswith(")"):
        return True
    word = bare.split(None, 1)[0]
    rest = bare[len(word) :].strip()
    if word in _CODE_WORDS and (last == ":" or not _CODE_MARKS.isdisjoint(rest)):
        return True
    if (word == "import" and _is_name(rest)) or (word == "from" and " import " in rest):
        return True
    name, equals, value = bare.partition("=")
    if equals and _is_name(name.rstrip(" +:")) and (name[-1] not in " +:" or not _VALUE_MARKS.isdisjoint(value)):
        return True
    name, opening, _ = bare.partition("(")
    if opening and last in ");" and _is_name(name):
        return True
    if word.rstrip(":|").isdigit() and not _VALUE_MARKS.isdisjoint(rest):
        return True  # numbered source
    if word.upper().strip("[]:") in ("ERROR", "WARN", "WARNING") and word != "Error":
        return True
    path, colon, place = word.partition(":")
    return bool(colon) and ("/" in path or "\\" in path) and place[:1].isdigit()


def _is_name(text: str) -> bool:
    """Whether `text` is a name of a program: `a.b_c`, `$x`, `rows[0]`."""
    for mark in "._$[]":
        text = text.replace(mark, "")
    return text.isalnum()


def _runs(bare_lines: list[str]) -> list[bool]:
    """For each line, whether it stands among three or more, blank ones not counted, that look like code."""
    marks = [bool(bare) and (looks_like_code(bare) or is_output(bare)) for bare in bare_lines]
    found = [False] * len(bare_lines)
    start = 0
    while start < len(marks):
        if not marks[start]:
            start += 1
            continue
        end = start
        while end < len(marks) and (marks[end] or not bare_lines[end]):
            end += 1
        if sum(marks[start:end]) >= RUN:
            found[start:end] = [True] * (end - start)
        start = end
    return found


def _outside_fences(lines: list[str]) -> list[str]:
    """The lines, with "" for each one inside a fence of backticks or tildes; an open fence runs to the end."""
    kept: list[str] = []
    fence = ""
    for line in lines:
        bare = line.strip()
        mark = bare[:3] if bare[:3] in ("```", "~~~") else ""
        if fence:
            if mark and bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
            kept.append("")
        elif mark and mark[0] not in bare.lstrip(mark[0]):
            fence = bare[: len(bare) - len(bare.lstrip(mark[0]))]
            kept.append("")
        else:
            kept.append(line)
    return kept

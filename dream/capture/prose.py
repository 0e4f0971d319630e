"""Which lines of a message are prose, and which are code, a log, a table or something quoted.

A line that can be nothing else (a stack frame, a diff, a line of JSON) is left out wherever it stands; one that
only looks like code, only among three or more of its kind. Where it is unsure it keeps the line: a stray line of
output costs little, a lost sentence cannot be had back.
"""

from __future__ import annotations

import re

_ANSI = "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-Z\\\\^_])"
_CONTROL = "[\x00-\x08\x0b-\x1f\x7f\x80-\x84\x86-\x9f\u200b\u2060\ufeff]"

_CERTAIN = (
    r"at \S.*[:(]\S*:\d+(?::\d+)?\)?$"  # a frame of JavaScript or Java
    r"|at [\w$.<>]+\(.*\)$"
    r"|File \"[^\"]*\", line \d+"  # a frame of Python
    r"|Traceback \(most recent call last\)"
    r"|(?:During handling of|The above exception was)"
    r"|\.\.\. \d+ more$"
    r"|diff --git |index [0-9a-f]{6,}\.\.|@@ -\d|\+\+\+ [ab/]|--- [ab/]"
    r"|[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s+\W?(?:DEBUG|INFO|WARN|ERROR|TRACE|FATAL|NOTICE)"  # a log
    r"|\[?\d\d:\d\d:\d\d\S*\s+\W?(?:DEBUG|INFO|WARN|ERROR|TRACE|FATAL|NOTICE)"
    r"|(?:DEBUG|INFO|TRACE)[:\s]\s*[\w.]+[:\s]"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \S+\[\d+\]:"  # syslog
    r"|npm (?:ERR!|error|warn|WARN) "
    r"|(?:[-dl](?:[r-][w-][xsS-]){2}[r-][w-][xtT-])[.+@]?\s+\d+ "  # ls -l
    r"|(?:PASS|FAIL|ok|not ok)\s+\S*[/.]\S+(?:\s+[\d.]+\s*m?s)?$"  # test runners
    r"|[✓✔✗✘×●] .*\(\d+ ?m?s\)$"
    r"|(?:Tests?|Test Suites|Snapshots|Time|Ran all test suites):?\s+\d+.*(?:passed|failed|total|s)$"
    r"|(?:[\w.-]+@[\w.-]+[: ]\S*|\(\w[\w.-]*\) ?)?[$❯] \S"  # a shell prompt
    r"|\"[^\"]+\"\s*:\s*\S"  # a member of a JSON object
    r"|[\[\]{}(),;]+$"
    r"|</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>(?:.*</[\w:-]+>)?$"  # markup
    r"|<!--|<\?xml|<!DOCTYPE"
    r"|\|.*\|$"  # a table row
)
_LIKELY = (
    r".*[{};]$"
    r"|.*\)\s*(?:=>|->)?\s*[{:]$"
    r"|(?:import|export|from|const|let|var|def|class|function|return|if|for|while|try|except|elif|else:|async|await"
    r"|public|private|static|void|package|use|fn|func|type|interface|struct|#include|@\w+)\b.*[(){}=;:'\"<]"
    r"|[\w.$\[\]]+\s*(?:=|\+=|:=)\s*\S"
    r"|[\w.]+\(.*\)$"
    r"|(?://|/\*|\*/|#!)"
    r"|[A-Z][A-Z0-9_]{2,}="
    r"|[+-](?![\s+-])\S"  # an added or removed line
    r"|\S*[/\\]\S*:\d+[:)]"  # path:line:
    r"|\d+[\s:|]\s*\S.*[{};()=]"  # numbered source
    r"|\s*(?:\[[^\]]*\]\s*)?(?:WARN|WARNING|ERROR|error|warning)\b[:\[ ]"
)
RUN = 3


def plain(text: str) -> str:
    """`text` with one kind of line end, without terminal codes, control characters and paired `**`."""
    if "\x1b" in text or "\x9b" in text:
        text = re.sub(_ANSI, "", text.replace("\x9b", "\x1b["))
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    if not text.isprintable():
        text = re.sub(_CONTROL, "", text)
    return re.sub(r"(?<!\*)\*\*(?!\*)(\S(?:[^*\n]*\S)?)\*\*(?!\*)", r"\1", text) if "**" in text else text


def prose_lines(text: str) -> list[str]:
    """The lines of plain text that are prose, each without its indent; "" stands where a block was left out."""
    lines = _outside_fences(text.split("\n"))
    kept: list[str] = []
    likely = [not line.strip() or _is_likely(line) for line in lines]
    traceback = False
    for index, line in enumerate(lines):
        bare = line.strip()
        indented = line[:1] in (" ", "\t")
        if bare.startswith("Traceback (most"):
            traceback = True
        elif traceback and not indented:
            traceback = False  # the error itself stands unindented below its frames, and is worth keeping
        if not bare or traceback or bare.startswith(">") or _is_certain(bare) or _in_run(likely, lines, index):
            kept.append("")
        else:
            kept.append(bare)
    return kept


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
        elif mark and mark[0] not in bare[len(bare) - len(bare.lstrip(mark[0])) :]:
            fence = bare[: len(bare) - len(bare.lstrip(mark[0]))]
            kept.append("")
        else:
            kept.append(line)
    return kept


def _is_certain(bare: str) -> bool:
    if bare[0] in "{[" and bare[-1] in "}]" and ('":' in bare or '" :' in bare or bare.startswith(('["', "[{", "[["))):
        return True
    if len(bare) > 200 and len(bare) > 50 * (bare.count(" ") + 1):
        return True  # a blob: words of prose are short
    return re.match(_CERTAIN, bare) is not None


def _is_likely(line: str) -> bool:
    bare = line.strip()
    return _is_certain(bare) or re.match(_LIKELY, bare) is not None


def _in_run(likely: list[bool], lines: list[str], index: int) -> bool:
    """Whether the line stands among three or more lines (blank ones not counted) that look like code."""
    if not likely[index]:
        return False
    first = last = index
    while first > 0 and likely[first - 1]:
        first -= 1
    while last + 1 < len(lines) and likely[last + 1]:
        last += 1
    return sum(1 for line in lines[first : last + 1] if line.strip()) >= RUN

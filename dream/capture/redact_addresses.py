"""Addresses: of machines on a network, of people's mail."""

from __future__ import annotations

from dream.capture.redact_numbers import before
from dream.capture.redact_rule import Rule, compiled

VERSION = (
    r"(?i)(?:\b(?:version|release|v|build|driver|firmware|kernel|chrome|firefox|edge|nginx|apache|openssl"
    r"|windows|android|ios|java|jdk|nvidia|cuda|office|plugin|extension|app|package|paquet|library|lib"
    r"|logiciel|upgrad\w*|updat\w*|mise à jour|bump\w*"
    r"|section|chapter|chapitre|paragraphe|§|étape|step|pas la|revision|rev|patch|oid|\w{0,20}identifier)\b|"
    r"(?:==|>=|<=|~=|\^|§|(?:npm"
    r"|pip|install|yarn|docker)\b.{0,30}@)[ ]?$|\b(?:passe[rsz]?|pass[ée]|mont[ée][erz]?|migr\w*) (?:de|à"
    r"|en)\b|\b(?:la|cette|une|rfc ?\d{2,5}[ ,:(§]{0,3})[ ]?$)"
)
HOST = (
    r"(?i)\b(?:ip|ipv4|host|hôte|server|serveur|ssh|ping|addr\w*|adresse|from|login\w*|listen|bind|bound|routeur"
    r"|router|gateway|passerelle|dns|machine|curl|http|box|connect\w*)\b"
)
RENEWED = r"(?i)[^\n]{0,40}?\b(?:upgrad|updat|releas|mise à jour|migr)"
WELL_KNOWN = ("8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "169.254.169.254")


def ipv4(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept an address of a host; not loopback, netmasks, networks, public resolvers, versions, section numbers."""
    parts = text[start:end].split(".")
    if any(int(part) > 255 or (len(part) > 1 and part[0] == "0") for part in parts):
        return None
    values = [int(part) for part in parts]
    if values[0] in (0, 127) or values[0] >= 224 or text[start:end] in WELL_KNOWN:
        return None
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if max(values) <= 30 and not line.strip(" \t#*>") and compiled(r"\.? +[A-Z]").match(text, end):
        return None  # the number of a section
    if values[1:] == [0, 0, 0] or compiled(r"[ \u00a0](?:release|version|build|notes)").match(text, end):
        return None
    if values[3] == 0 and compiled(r"/\d").match(text, end):
        return None
    if compiled(r"[A-Za-z]/$").search(text[max(0, start - 2) : start]):  # Chrome/117.0.5788.193
        return None
    if values[0] not in (10, 172, 192, 198, 203) and compiled(RENEWED).match(text, end):
        return None
    cue = before(text, start, 48)
    version = host = -1
    for found in compiled(VERSION).finditer(cue):
        version = found.end()
    for found in compiled(HOST).finditer(cue):
        host = found.end()
    return None if version > host else (start, end)


def ipv6(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept an address of a host: eight groups, or `::` after a prefix in use; not loopback, times, `std::map`."""
    raw = text[start:end].partition("%")[0]
    if raw.endswith("::") and text[end : end + 1] == "/":
        return None  # a network
    groups = raw.split(":")
    double = raw.count("::")
    if double > 1 or ":::" in raw or any(len(group) > 4 and "." not in group for group in groups):
        return None
    full = len(groups) == 8 and all(groups)
    if not full and not (double and 3 <= len(groups) <= 9):
        return None
    if not any(group.strip("0") for group in groups[:-1]) and groups[-1].strip("0") in ("", "1"):
        if not full:
            return None
        return (start, end) if groups[0] else None
    head = groups[0].lower()
    mapped = raw.lower().startswith("::ffff:") and "." in raw
    known = (len(head) == 4 and (head[0] in "23" or head[:2] in ("fc", "fd", "fe", "ff"))) or head == "64"
    return (start, end) if full or mapped or (known and any(char.isdigit() for char in raw)) else None


def mac(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a hardware address; not the empty one, not the broadcast."""
    digits = text[start:end].replace(":", "").replace("-", "").lower()
    return None if len(set(digits)) < 3 else (start, end)


FILES = ("png", "jpg", "jpeg", "svg", "gif", "webp", "html", "json", "yml", "yaml", "toml", "lock", "service", "timer")


ANYONE = (  # an address that stands for any
    r"(?i)(?:you|your|votre|my|mon)[._-]?(?:e?-?mail|name|nom|adresse|address)?[a-z]{0,8}@[a-z0-9.-]+"
    r"|(?:user|username|name|nom|e?mail|pass(?:word|wd)?|pwd|someone|somebody|foo|bar|pr[ée]nom(?:[._-]nom)?|first(?:name)?[._-]?last(?:name)?"
    r"|john[._-]?doe|jane[._-]?doe)@(?:example|domain|domaine|email|company|mail)\.[a-z]{2,4}"
)


def mail(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Accept a person's address; not git remotes, user names of URLs, automatic senders, files."""
    while start < end and text[start] in "'.-+’":
        start += 1
    local, _, host = text[start:end].partition("@")
    if not local or host.rpartition(".")[2].lower() in FILES:
        return None
    if local.lower() in ("git", "hg", "svn", "noreply", "no-reply") or host in ("openssh.com", "libssh.org"):
        return None
    if compiled(ANYONE).fullmatch(text[start:end]):
        return None
    if "://" in text[max(0, start - 80) : start].rpartition(" ")[2] and ":" not in text[start:end]:
        return None  # the user, or the end of the password, of a URL
    return start, end


# fmt: off
ADDRESSES = (
    Rule("ip-address", "addresses", "#4",
         r"(?<![A-Za-z0-9.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![A-Za-z0-9-]|\.\d)", "ssh {ipv4}", ipv4),
    Rule("ip-address", "addresses", "::",
         r"(?<![A-Za-z0-9:.])[0-9A-Fa-f:]{2,45}(?:\.\d{1,3}){0,3}(?:%[a-z0-9]{1,12})?(?![A-Za-z0-9:])", "{ipv6}", ipv6),
    Rule("ip-address", "addresses", ":5",
         r"(?<![A-Za-z0-9:.])(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}(?![A-Za-z0-9:])", "{ipv6full}", ipv6),
    Rule("mac-address", "addresses", ":5 -5",
         r"(?<![A-Za-z0-9:-])(?:(?:[0-9A-Fa-f]{2}:){5}|(?:[0-9A-Fa-f]{2}-){5})[0-9A-Fa-f]{2}(?![A-Za-z0-9:-])",
         "{mac}", mac),
    Rule("email", "e-mail", "@",
         r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9\u00c0-\u024f._%+'’-]{1,80}@"
         r"(?:[A-Za-z0-9\u00c0-\u024f-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9@])", "{mail}", mail),
)
# fmt: on

"""Which project a session belongs to: one short key per project, whichever way its folder is written.

Promises: clones of one remote, worktrees, subfolders, slash styles, drive case and symlinks give one key; different
folders without a common remote give different keys; a folder that is gone still gives the key of its text. The key is
safe as a file name. Refuses: to start a process, to follow git's own settings, to read more than a few kilobytes.

Standard library alone and 3.9 syntax: the SessionStart hook calls it.
"""

from __future__ import annotations

import os
import re

from dream.capture.digest import sha256

_WINDOWS = re.compile(r"[A-Za-z]:(?:[\\/]|\Z)|\\\\")
_WORKTREE = re.compile(r"/(?:\.claude/worktrees|\.worktrees|\.git/worktrees)/[^/]+(?:/.*)?\Z")
_SECTION = re.compile(r"\s*\[\s*remote\s+\"([^\"]*)\"\s*\]\s*(?:[#;].*)?\Z", re.IGNORECASE)
_URL = re.compile(r"\s*url\s*=\s*(.*?)\s*\Z", re.IGNORECASE)
_WITH_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@]*@)?(\[[^\]]*\]|[^/:]*)(?::(\d*))?(/.*)?\Z", re.DOTALL)
_SCP = re.compile(r"(?:[^/@:]+@)?([^/:@\[\]]{2,}):(?!//)(.+)\Z", re.DOTALL)
_CASELESS_HOSTS = ("github.com", "gitlab.com", "bitbucket.org")
_READ_AT_MOST = 262144
_NATIVE_WINDOWS = os.name == "nt"


def project_key(cwd: str) -> str:
    """The key of the project that `cwd` lies in, as `slug-8hex`; "" (everywhere) for an empty `cwd`."""
    if not cwd.strip():
        return ""
    name, identity = _identify(cwd)
    digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:24].strip("-")
    return (slug or "project") + "-" + digest


def project_name(cwd: str) -> str:
    """What people call the project that `cwd` lies in: the name of its repository or folder."""
    return _identify(cwd)[0] if cwd.strip() else ""


def normal_path(text: str) -> str:
    """One spelling for a path: forward slashes, no trailing one, no `.` or `..`; Windows paths in lower case.

    >>> normal_path("C:\\\\TA\\\\outil\\\\")
    'c:/ta/outil'
    """
    text = text.strip()
    if _WINDOWS.match(text):
        text = text.replace("\\", "/").lower()
        if text.startswith("//?/"):
            text = "//" + text[8:] if text.startswith("//?/unc/") else text[4:]
        lead = "//" if text.startswith("//") else ""
    else:
        lead = "/" if text.startswith("/") else ""
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            if parts:
                parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return lead + "/".join(parts) or "/"


def normal_remote(url: str) -> str:
    """One spelling for a remote: `host/path`, without scheme, user, password, `.git`; "" where it is a local path.

    >>> normal_remote("git@GitHub.com:Lea/Outil.git") == normal_remote("https://x:y@github.com/lea/outil/")
    True
    """
    url = url.strip()
    scheme = _WITH_SCHEME.match(url)
    if scheme:
        kind, host, port, path = (part or "" for part in scheme.groups())
        kind = kind.lower()
        if kind == "file" or not host:
            return ""
        if kind in ("http", "https") and port not in ("", "80", "443"):
            host += ":" + port
    else:
        scp = _SCP.match(url)
        if not scp or _WINDOWS.match(url):
            return ""
        host, path = scp.groups()
    host, path = host.lower(), re.sub(r"/+", "/", path).strip("/")
    if path.lower().endswith(".git"):
        path = path[:-4].rstrip("/")
    return host + "/" + (path.lower() if host in _CASELESS_HOSTS else path)


def _identify(cwd: str) -> tuple[str, str]:
    """(name, identity): by the repository's remote, else by its root, else by the path itself."""
    cwd = cwd.strip()
    if bool(_WINDOWS.match(cwd)) == _NATIVE_WINDOWS:  # else the path is of another machine: only its text counts
        try:
            real = os.path.realpath(cwd)
            root, common = _repository(real)
        except (OSError, ValueError):
            real, root, common = cwd, "", ""
        if root:
            remote = _remote(common)
            if remote:
                return remote.rsplit("/", 1)[-1], "remote:" + remote
            at = normal_path(root)
            return at.rsplit("/", 1)[-1], "path:" + at
        cwd = real
    at = _WORKTREE.sub("", normal_path(cwd)) or "/"
    return at.rsplit("/", 1)[-1], "path:" + at


def _repository(path: str) -> tuple[str, str]:
    """(root of the main working tree, common git folder) of the repository around `path`, or ("", "").

    A repository at the home folder or at the file system's root holds settings, not every project below it.
    """
    here = path
    while True:
        above = os.path.dirname(here)
        dot_git = os.path.join(here, ".git")
        if os.path.exists(dot_git) and (here == path or (above != here and not _is_home(here))):
            if os.path.isdir(dot_git):
                if os.path.isfile(os.path.join(dot_git, "HEAD")):
                    return here, dot_git
            elif os.path.isfile(dot_git):
                return _linked(here, dot_git)
        if above == here:
            return "", ""
        here = above


def _is_home(folder: str) -> bool:
    """Whether it is the user's home folder; asked only where it matters, since without HOME it costs a module."""
    return folder == os.path.realpath(os.path.expanduser("~"))


def _linked(here: str, dot_git: str) -> tuple[str, str]:
    """Follow a `.git` file: of a worktree to the main working tree, of a submodule to its own git folder."""
    said = _read(dot_git)
    if not said.startswith("gitdir:"):
        return here, ""
    git_dir = os.path.normpath(os.path.join(here, said[7:].strip()))
    common = _read(os.path.join(git_dir, "commondir")).strip()
    if common:
        common = os.path.realpath(os.path.join(git_dir, common))
    elif os.path.basename(os.path.dirname(git_dir)) == "worktrees":
        common = os.path.dirname(os.path.dirname(git_dir))
    else:
        return here, git_dir
    return (os.path.dirname(common) if os.path.basename(common) == ".git" else common), common


def _remote(common: str) -> str:
    """The normalised `origin` of a git folder, else its first remote, else ""."""
    found: dict[str, str] = {}
    section: str | None = None
    for line in _read(os.path.join(common, "config")).splitlines() if common else ():
        if line.lstrip().startswith("["):
            match = _SECTION.match(line)
            section = match.group(1) if match else None
            continue
        match = _URL.match(line)
        if match and section is not None and section not in found:
            url = match.group(1).strip('"')
            found[section] = normal_remote(url) or _local_remote(common, url)
    return found.get("origin") or next((remote for remote in found.values() if remote), "")


def _local_remote(common: str, url: str) -> str:
    """A remote that is a folder: its absolute path, so that clones of one bare repository are one project."""
    if url.lower().startswith("file://"):
        url = url[7:]
    if not url:
        return ""
    path = normal_path(os.path.join(os.path.dirname(common), url))
    return re.sub(r"(?:/\.git|\.git)\Z", "", path)


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_READ_AT_MOST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""

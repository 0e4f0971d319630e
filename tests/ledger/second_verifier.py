"""A second verifier of the ledger, written from docs/ledger.md alone; imports nothing of dream.

Usage: second_verifier.py DREAM_HOME [STATE_FOLDER]; prints `good SIZE` or `bad: why`, exit code 0 or 1.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


class Bad(Exception):
    """What is wrong."""


def need(fact: bool, why: str) -> None:
    if not fact:
        raise Bad(why)


def sha(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def unbase64(text: str) -> bytes:
    raw = base64.b64decode(text, validate=True)
    need(base64.b64encode(raw).decode() == text, "base64 that is not canonical")
    return raw


def read_key(folder: Path) -> tuple[str, bytes, bytes]:
    text = (folder / "key.pub").read_bytes().decode()
    need(text.endswith("\n") and text.count("\n") == 1, "key.pub is not one line")
    name, key_id, encoded = text[:-1].split("+", 2)
    raw = unbase64(encoded)
    need(len(raw) == 33 and raw[0] == 1, "key.pub holds no Ed25519 key")
    need(sha(name.encode() + b"\n" + raw)[:4].hex() == key_id, "key.pub has a key id that does not fit")
    return name, bytes.fromhex(key_id), raw[1:]


def opened(note: str, key: tuple[str, bytes, bytes]) -> list[str]:
    """The text lines of a signed note."""
    text, gap, signatures = note.rpartition("\n\n")
    need(bool(gap) and signatures.endswith("\n"), "a note without a signature")
    for line in signatures[:-1].split("\n"):
        need(line.startswith("\u2014 "), "a signature line without its dash")
        name, _, encoded = line[2:].partition(" ")
        raw = unbase64(encoded)
        if name == key[0] and raw[:4] == key[1]:
            try:
                Ed25519PublicKey.from_public_bytes(key[2]).verify(raw[4:], (text + "\n").encode())
            except InvalidSignature:
                continue
            return text.split("\n")
    raise Bad("a note that the key did not sign")


class Tree:
    """RFC 6962, appended leaf by leaf: roots of full subtrees, largest first."""

    def __init__(self) -> None:
        self.size, self.edge = 0, list[bytes]()

    def add(self, leaf: bytes) -> None:
        node, size = sha(b"\0" + leaf), self.size
        while size & 1:
            node, size = sha(b"\1" + self.edge.pop() + node), size >> 1
        self.edge.append(node)
        self.size += 1

    def root(self) -> bytes:
        if not self.edge:
            return sha(b"")
        node = self.edge[-1]
        for left in reversed(self.edge[:-1]):
            node = sha(b"\1" + left + node)
        return node


class Verifier:
    def __init__(self, folder: Path) -> None:
        self.folder, self.key, self.tree = folder, read_key(folder), Tree()
        self.log, self.note, self.null = "", "", dict[str, int]()

    def run(self) -> int:
        paths = sorted(self.folder.glob("[0-9]*.jsonl"))
        need(bool(paths), "no segment")
        for number, path in enumerate(paths, 1):
            need(path.name == f"{number:06d}.jsonl", f"segment {number} is missing")
            self.segment(path, last=number == len(paths))
        if self.note:
            opened(self.note, self.key)
        need(not self.null, f"parts nobody asked to forget: {sorted(self.null)[:3]}")
        return self.tree.size

    def segment(self, path: Path, last: bool) -> None:
        lines = path.read_bytes().split(b"\n")
        torn = lines.pop()
        if not lines and last and path.name != "000001.jsonl":
            return
        told = json.loads(lines[0])
        self.log = self.log or told["log"]
        first = f'{{"dream-ledger":1,"log":"{self.log}","first":{self.tree.size}}}'
        need(lines[0] == first.encode(), f"{path.name} begins wrongly")
        batch: list[tuple[bytes, list[bytes]]] = []
        ends = [at for at, line in enumerate(lines) if line.startswith(b'{"checkpoint":')]
        stop = ends[-1] + 1 if ends else 1
        need(last or (not torn and stop == len(lines)), f"{path.name} goes on after its last checkpoint")
        for line in lines[1:stop]:
            if line.startswith(b'{"checkpoint":'):
                self.commit(batch, line)
                batch = []
            elif line.startswith(b'{"seq":'):
                batch.append((line, []))
            else:
                need(bool(batch) and (line == b"null" or line.startswith(b'["')), f"{path.name}: a line of no kind")
                batch[-1][1].append(line)

    def commit(self, batch: list[tuple[bytes, list[bytes]]], line: bytes) -> None:
        prev = hashlib.sha256(self.note.encode()).hexdigest() if self.note else None
        asked: list[str] = []
        for place, (header, parts) in enumerate(batch):
            told = json.loads(header)
            need(told["seq"] == self.tree.size, f"entry {self.tree.size} is not in its place")
            need(told.get("prev") == (prev if place == 0 else None), f"entry {told['seq']} follows no checkpoint")
            need(len(parts) == len(told["parts"]), f"entry {told['seq']} has parts too many or too few")
            for part, (name, digest) in zip(parts, told["parts"], strict=True):
                if part == b"null":
                    self.null[name] = told["seq"]
                else:
                    need(hashlib.sha256(part).hexdigest() == digest, f"entry {told['seq']} was changed")
            change = told["change"]
            if change["kind"] == "NodeForgotten":
                asked += [change["node"], *change["notes"], *change.get("others", [])]
            self.tree.add(header)
        for name in asked:
            self.null.pop(name, None)
        self.note = json.loads(line)["checkpoint"]
        written = json.dumps({"checkpoint": self.note}, ensure_ascii=False, separators=(",", ":"))
        need(written.encode() == line, "a checkpoint line written otherwise")
        root = base64.b64encode(self.tree.root()).decode()
        expected = f"dream/{self.log}\n{self.tree.size}\n{root}\n\n"
        need(self.note.startswith(expected), f"the checkpoint after entry {self.tree.size - 1} does not follow")

    def copy(self, path: Path) -> None:
        if not path.exists():
            return
        origin, size, root = opened(path.read_bytes().decode(), self.key)
        need(origin == f"dream/{self.log}", f"{path.name} is of another log")
        need(int(size) <= self.tree.size, f"{path.name} knows {size} entries: the log was cut")
        if int(size) == self.tree.size:
            need(unbase64(root) == self.tree.root(), f"{path.name} has another root")

    def database(self, path: Path) -> None:
        seal = self.folder / "pgt.seal"
        if not seal.exists() or not path.exists():
            return
        origin, mark, digest, size, _ = opened(seal.read_bytes().decode(), self.key)
        need(origin == f"dream/{self.log}/pgt.sqlite", "the seal is of another store")
        content = path.read_bytes()
        connection = sqlite3.connect(path)
        try:
            ((held,),) = connection.execute("SELECT value FROM meta WHERE key = 'watermark'").fetchall()
        finally:
            connection.close()
        need(int(held) >= int(mark), "the database is older than its seal")
        if int(held) == int(mark):
            blocks = b"".join(sha(content[at : at + (1 << 20)]) for at in range(0, len(content), 1 << 20))
            need(len(content) == int(size) and sha(blocks) == unbase64(digest), "the database was changed")


def verify(home: Path, state: Path | None = None) -> int:
    """The size of a good log; raises on a bad one."""
    one = Verifier(home / "ledger")
    size = one.run()
    one.copy(one.folder / "checkpoint")
    if state is not None:
        one.copy(state / f"{one.log}.checkpoint")
    one.database(home / "pgt.sqlite")
    return size


if __name__ == "__main__":
    try:
        print("good", verify(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
    except Exception as error:  # noqa: BLE001 -- whatever is wrong is the answer
        print("bad:", error)
        sys.exit(1)

"""Write the sample sessions as transcripts, in the line form of the client 2.1.332.

Promises: the same bytes each time (ids come from a hash, times from the script); each file carries the time of its
last line, so that a sweep sees a quiet session. Secrets are put together here, so that none stands in the repository.
Standard library only; needs no Dream.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

SESSIONS = Path(__file__).resolve().parents[1] / "samples" / "sessions"
VERSION = "2.1.332"
Line = dict[str, Any]


def secret(kind: str) -> str:
    """A secret of `kind` that looks real, made from a hash: 36 letters after `ghp_`, or a password."""
    letters = re.sub(r"[^A-Za-z0-9]", "", hashlib.sha256(kind.encode()).hexdigest() * 2)
    if kind == "github":
        return "gh" + "p_" + "".join(c.upper() if i % 3 else c for i, c in enumerate(letters[:36]))
    return "Tourne" + letters[:6] + "!"


def sample_uuid(*source: object) -> str:
    """A repeatable id in the shape of a UUID."""
    raw = hashlib.sha256("/".join(map(str, source)).encode()).hexdigest()
    return f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-a{raw[17:20]}-{raw[20:32]}"


def encoded(cwd: str) -> str:
    """The folder the client keeps a project's transcripts in."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


class Transcript:
    """Lines of one session as the client would have written them."""

    def __init__(self, name: str, script: dict[str, Any]) -> None:
        self.name = name
        self.session = sample_uuid(name)
        self.script = script
        self.at = datetime.fromisoformat(script["starts"]).astimezone(UTC)
        self.parent: str | None = None
        self.lines: list[Line] = []
        self.count = 0

    def stamp(self, seconds: float) -> str:
        self.at += timedelta(seconds=seconds)
        return self.at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.at.microsecond // 1000:03d}Z"

    def chained(self, kind: str, seconds: float, **fields: Any) -> Line:
        """A line in the tree of messages: it has a parent, an id, a time and the session's surroundings."""
        self.count += 1
        uuid = sample_uuid(self.name, self.count)
        line: Line = {"parentUuid": self.parent, "isSidechain": False, "type": kind, "uuid": uuid}
        line.update(timestamp=self.stamp(seconds), **fields)
        line.update(userType="external", entrypoint="cli", cwd=self.script["cwd"], sessionId=self.session)
        line.update(version=VERSION, gitBranch=self.script["branch"])
        self.parent = uuid
        self.lines.append(line)
        return line

    def opening(self) -> None:
        for fields in (
            {"type": "mode", "mode": "normal"},
            {"type": "permission-mode", "permissionMode": "auto"},
        ):
            self.lines.append({**fields, "sessionId": self.session})
        context = "Reference data from earlier sessions: loans last 45 days."
        attachment = {"type": "hook_additional_context", "content": [context], "hookName": "SessionStart"}
        self.chained("attachment", 0.2, attachment=attachment)

    def user(self, text: str) -> None:
        fields = {"promptSource": "typed", "turnOrigin": "human", "origin": {"kind": "human"}}
        message = {"role": "user", "content": text}
        prompt = sample_uuid(self.name, "p", self.count)
        self.chained("user", 25 + len(text) / 8, message=message, promptId=prompt, **fields)

    def assistant(self, block: Line, seconds: float, message_id: str) -> str:
        message: Line = {"id": message_id, "type": "message", "role": "assistant", "model": "claude-opus-5-5"}
        message.update(content=[block], stop_reason="end_turn", usage={"input_tokens": 900, "output_tokens": 60})
        uuid: str = self.chained("assistant", seconds, message=message)["uuid"]
        return uuid

    def turn(self, turn: dict[str, Any]) -> None:
        if "user" in turn:
            self.user(re.sub(r"\{secret:(\w+)\}", lambda found: secret(found.group(1)), turn["user"]))
            return
        message_id = "msg_sample" + sample_uuid(self.name, "m", self.count)[:8]
        self.assistant({"type": "text", "text": turn["assistant"]}, 6, message_id)
        if "tool" in turn:
            call = "toolu_sample" + sample_uuid(self.name, "t", self.count)[:8]
            tool = turn["tool"]
            block = {"type": "tool_use", "id": call, "name": tool["name"], "input": tool["input"]}
            asked = self.assistant(block, 1, message_id)
            result = {"type": "tool_result", "tool_use_id": call, "content": tool["result"]}
            fields = {"toolUseResult": tool["result"], "sourceToolAssistantUUID": asked}
            self.chained("user", 2, message={"role": "user", "content": [result]}, **fields)

    def whole(self) -> list[Line]:
        self.opening()
        fork: str | None = None
        for turn in self.script["turns"]:
            if turn.get("abandoned") and fork is None:
                fork = self.parent
            elif not turn.get("abandoned") and fork is not None:
                self.parent, fork = fork, None
            self.turn(turn)
        self.lines.append({"type": "last-prompt", "leafUuid": self.parent, "sessionId": self.session})
        return self.lines


def scripts() -> Iterator[Transcript]:
    """The sample sessions in their order."""
    for path in sorted(SESSIONS.glob("*.json")):
        yield Transcript(path.stem, json.loads(path.read_text(encoding="utf-8")))


def write(folder: Path) -> list[Path]:
    """Write every session under `folder` as the client lays them out; returns the files, oldest first."""
    written = []
    for transcript in scripts():
        lines = transcript.whole()
        path = folder / encoded(transcript.script["cwd"]) / f"{transcript.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        path.write_bytes(text.encode("utf-8"))
        os.utime(path, (transcript.at.timestamp(), transcript.at.timestamp()))
        written.append(path)
    return written


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write the sample sessions as transcripts.")
    parser.add_argument("folder", type=Path, help="where to write them; made if absent")
    parser.add_argument("--json", action="store_true", help="print the files as one JSON object")
    arguments = parser.parse_args(argv)
    written = write(arguments.folder)
    if arguments.json:
        print(json.dumps({"files": [str(path) for path in written]}, ensure_ascii=False))
    else:
        print(f"{len(written)} sessions written to {arguments.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

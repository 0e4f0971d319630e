"""Build the two files for hosts that take no folder: the plugin as a zip, the server as an .mcpb.

Standard library only; the same tree gives the same bytes (sorted names, one date, one mode). Takes what git tracks
where git is at hand, else what lies there, and never tests, caches or a virtual environment.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SERVER = (
    "dream",
    "scripts",
    "requirements",
    "requirements.txt",
    "pyproject.toml",
    "plugin.json",
    "README.md",
    "LICENSE",
)
PLUGIN = (*SERVER, ".claude-plugin", ".mcp.json", "assets", "hooks", "skills", "README.fr.md", "CHANGELOG.md", "docs")
DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest a zip can say."""


def files(tops: tuple[str, ...]) -> list[Path]:
    """Every file below `tops`, relative to the project, in order."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *tops],
        cwd=ROOT, capture_output=True, check=False,
    )  # fmt: skip
    if listed.returncode == 0 and listed.stdout:
        names = [Path(name) for name in listed.stdout.decode("utf-8").split("\0") if name]
        found = [name for name in names if (ROOT / name).is_file()]
    else:
        below = [path for top in tops for path in ([ROOT / top] if (ROOT / top).is_file() else (ROOT / top).rglob("*"))]
        found = [path.relative_to(ROOT) for path in below if path.is_file() and "__pycache__" not in path.parts]
    return sorted(found, key=lambda path: path.as_posix())


def manifest() -> dict[str, Any]:
    """The bundle's manifest.json: what plugin.json says, and how a host starts the server (MCPB manifest 0.3)."""
    plugin = json.loads((ROOT / "plugin.json").read_text(encoding="utf-8"))
    serve = "${__dirname}/scripts/serve.py"
    return {
        "manifest_version": "0.3",
        "name": plugin["name"],
        "display_name": plugin["displayName"],
        "version": plugin["version"],
        "description": plugin["description"],
        "author": plugin["author"],
        "license": plugin["license"],
        "keywords": plugin["keywords"],
        "icon": "icon.png",
        "server": {
            "type": "python",
            "entry_point": "scripts/serve.py",
            "mcp_config": {
                "command": "python3",
                "args": [serve],
                "platform_overrides": {"win32": {"command": "python", "args": [serve]}},
            },
        },
        "tools": [{"name": name, "description": title} for name, title in tools()],
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": ">=3.11"}},
    }


def tools() -> list[tuple[str, str]]:
    """Name and title of each tool, read from the table in dream/mcp/tools.py without importing it."""
    tree = ast.parse((ROOT / "dream" / "mcp" / "tools.py").read_text(encoding="utf-8"))
    for node in tree.body:
        named = isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "TOOLS"
        if named and isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            titles = [value.elts[0] for value in node.value.values if isinstance(value, ast.Tuple)]
            return [
                (ast.literal_eval(key), ast.literal_eval(title))
                for key, title in zip(node.value.keys, titles, strict=True)
                if key
            ]
    raise LookupError("dream/mcp/tools.py has no table TOOLS")


def write(path: Path, contents: dict[str, bytes]) -> None:
    """A zip with these files; the same contents give the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as bundle:
        for name, body in sorted(contents.items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            bundle.writestr(entry, body)


def build(folder: Path) -> list[Path]:
    """Write both bundles into a folder; returns their paths."""
    version = manifest()["version"]
    plugin, server = folder / f"dream-{version}.zip", folder / f"dream-{version}.mcpb"
    write(plugin, {path.as_posix(): (ROOT / path).read_bytes() for path in files(PLUGIN)})
    body = {path.as_posix(): (ROOT / path).read_bytes() for path in files(SERVER)}
    body["icon.png"] = (ROOT / "assets" / "icon.png").read_bytes()
    body["manifest.json"] = (json.dumps(manifest(), ensure_ascii=False, indent=2) + "\n").encode()
    write(server, body)
    return [plugin, server]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", help="where to write them (dist)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    made = build(given.folder)
    if given.json:
        print(json.dumps({"files": [str(path) for path in made]}))
        return
    for path in made:
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

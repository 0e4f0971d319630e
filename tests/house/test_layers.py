"""An import may only point down; SQL, the write door and heavy packages each have one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STDLIB_ONLY = {"dream.model", "dream.capture"}

# What a package may import of Dream, besides itself. Longest prefix counts; `errors`, `paths`, `effort` are everyone's.
MAY: dict[str, set[str]] = {
    "dream.errors": set(),
    "dream.paths": set(),
    "dream.effort": set(),
    "dream.model": set(),
    "dream.capture": set(),
    "dream.ports": {"model"},
    "dream.operations": {"ports", "ledger.verify"},
    "dream.settings": {"capture.home"},
    "dream.ledger": {"ports", "model"},
    "dream.sources": {"ports", "model", "capture"},
    "dream.debate": {"ports", "model", "capture", "lexicon"},
    "dream.garden": {"ports", "model", "debate"},
    "dream.lexicon": set(),
    "dream.recall": {"ports", "model", "capture"},
    "dream.house": {"ports", "model", "ledger", "settings", "sources.roots", "debate", "recall", "operations"},
    "dream.health": {"ports", "model", "capture", "ledger", "sources", "cycle", "house", "settings", "operations"},
    "dream.cycle": {"ports", "model", "capture", "ledger", "sources", "debate", "recall", "house", "garden"},
    "dream.adapters": {"ports", "model", "operations"},
    "dream.api": {
        "ports",
        "operations",
        "model",
        "capture",
        "ledger",
        "sources",
        "debate",
        "recall",
        "health",
        "cycle",
        "house",
        "garden",
    },
    "dream.compose": {"*"},
    "dream.cli": {"api", "compose", "settings", "model", "capture", "health", "mcp", "web", "cycle.nights"},
    "dream.mcp": {"api", "compose", "settings", "model", "capture", "health", "web.watch"},
    "dream.web": {
        "api",
        "compose",
        "settings",
        "model",
        "capture",
        "health",
        "operations",
        "cycle",
        "mcp.guard",
        "mcp.opened",
    },
    "dream.__main__": {"cli"},
    "dream.__init__": set(),
    "hooks": {"capture"},
    "scripts": set(),
    # They measure, or make a file of the package.
    **{f"scripts.{program}": {"*"} for program in ("play_corpus", "bench", "eval", "fit_recall")},
    **{f"scripts.{program}": {"*"} for program in ("crash_trials", "build_stems")},
}
EVERYONE = {"errors", "paths", "effort"}

OWNERS: dict[str, str] = {
    "networkx": "dream/adapters/nx_*.py",
    "rank_bm25": "dream/adapters/bm25.py",
    "cryptography": "dream/adapters/ed25519.py",
    "snowballstemmer": "dream/adapters/snowball.py",
    "lancedb": "dream/adapters/lance.py",
    "ollama": "dream/adapters/ollama.py",
    "sentence_transformers": "dream/adapters/sentence.py",
    "redis": "dream/adapters/hotcache.py",
    "prometheus_client": "dream/adapters/prometheus.py",
    "psutil": "dream/adapters/machine.py",
    "jinja2": "dream/web/*.py",
    "fastmcp": "dream/mcp/*.py",
    "torch": "nobody",
}
SQL = re.compile(
    r"\s*(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX|VIRTUAL)"
    r"|PRAGMA\s+\w|ALTER\s+TABLE|DROP\s+TABLE)\b",
    re.DOTALL,
)


def python_files() -> list[Path]:
    return sorted(path for top in ("dream", "hooks", "scripts") for path in (ROOT / top).rglob("*.py"))


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


def imports_of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rule_for(module: str) -> tuple[str, set[str]]:
    """The longest name in the table that `module` falls under; `dream.cli_night` falls under `dream.cli`."""
    fits = [name for name in MAY if module == name or module.startswith((name + ".", name + "_"))]
    assert fits, f"{module} stands in no layer: add it to the table"
    name = max(fits, key=len)
    return name, MAY[name]


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own, allowed = rule_for(module_of(path))
    for name in imports_of(ast.parse(path.read_text(encoding="utf-8"))):
        if not name.startswith("dream.") or name == "dream.__version__" or "*" in allowed:
            continue
        inner = name.removeprefix("dream.")
        fits = any(inner == each or inner.startswith((each + ".", each + "_")) for each in allowed | EVERYONE)
        assert fits or name.startswith((own + ".", own + "_")), f"{path.relative_to(ROOT)} may not import {name}"


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_sql_stands_only_in_the_sqlite_adapter_and_the_state(path: Path) -> None:
    if re.fullmatch(r"(sqlite\w*|state)\.py", path.name) and path.parent.name == "adapters":
        return
    if path.name == "bench_ledger.py":  # plays the stranger who changes a row behind Dream's back
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not SQL.match(node.value), f"{path.relative_to(ROOT)}:{node.lineno} holds SQL"


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_ledger_applies_entries_to_projections(path: Path) -> None:
    if path.parent.name == "ledger" or path == ROOT / "dream" / "model" / "fold.py":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "apply"
        if called and path.parent.name == "adapters":
            # An in-memory projection folds an entry into its own state; that is the fold, not another projection.
            assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            called = not (isinstance(node.func.value, ast.Name) and node.func.value.id == "fold")
        assert not called, f"{path.relative_to(ROOT)}:{node.lineno} calls .apply("  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", python_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_heavy_packages_are_imported_only_by_the_adapter_that_owns_them(path: Path) -> None:
    where = str(path.relative_to(ROOT).as_posix())
    for name in imports_of(ast.parse(path.read_text(encoding="utf-8"))):
        top = name.split(".")[0]
        assert fnmatch(where, OWNERS.get(top, "*")), f"{where} may not import {top}: {OWNERS[top]} owns it"
        assert top not in {"pickle", "shelve", "marshal", "dill"}, (
            f"{where} imports {top}: nothing derived runs as code"
        )

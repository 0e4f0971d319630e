"""Small files, honest words: what holds for every file of the project."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 400
FORBIDDEN_NAMES = re.compile(r"(^|_)(manager|handler|helper|helpers|util|utils|engine|data|item)($|_)")
SOURCES = sorted(p for top in ("dream", "hooks", "scripts", "tests") for p in (ROOT / top).rglob("*.py"))
PROJECT = [p for p in SOURCES if "tests" not in p.relative_to(ROOT).parts]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_is_longer_than_four_hundred_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", PROJECT, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_promises(path: Path) -> None:
    if path.stat().st_size:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), "no module docstring"


@pytest.mark.parametrize("path", PROJECT, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_classes_and_functions_bear_no_empty_words(path: Path) -> None:
    names = [path.stem]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            names.append(re.sub(r"(?<!^)(?=[A-Z])", "_", node.name).lower())
        elif isinstance(node, ast.FunctionDef):
            names.append(node.name)
    empty = [name for name in names if FORBIDDEN_NAMES.search(name)]
    assert not empty, f"say what it does instead: {empty}"


@pytest.mark.parametrize("path", PROJECT, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_swallowed_in_silence(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ExceptHandler) and len(node.body) == 1 and isinstance(node.body[0], ast.Pass):
            broad = node.type is None or (
                isinstance(node.type, ast.Name) and node.type.id in {"Exception", "BaseException"}
            )
            assert not broad, f"line {node.lineno}: an except that swallows everything"

"""Frozen dataclasses to plain JSON values and back, by their type hints; what is signed is written through here.

Plain values hold no floats. Fields at their default are left out, so that a field added later does not change how
old values are written. Unknown fields are refused: they were written by a newer Dream. Readers and writers are built
once per class: a restore decodes a hundred thousand values.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from enum import Enum
from typing import Any

from dream.errors import DreamError
from dream.model import change as _change

KINDS: dict[str, type[Any]] = {cls.__name__: cls for cls in typing.get_args(_change.Change)}


class NewerFormat(DreamError):
    """A value was written by a newer version of Dream."""

    code = "newer-format"


_FIELDS: dict[Any, tuple[tuple[str, Any, Any], ...]] = {}


def fields(cls: Any) -> tuple[tuple[str, Any, Any], ...]:
    """(name, type, default) of each field of a dataclass, types resolved."""
    if cls not in _FIELDS:
        hints = typing.get_type_hints(cls)
        _FIELDS[cls] = tuple((field.name, hints[field.name], field.default) for field in dataclasses.fields(cls))
    return _FIELDS[cls]


def to_plain(value: Any) -> Any:
    """Turn a dataclass, enum, tuple or scalar into dicts, lists, strings, ints, bools and None."""
    kind = type(value)
    if kind is str or kind is int or value is None or kind is bool:
        return value
    if kind is tuple:
        return [to_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        plain = {}
        for name, _, default in fields(kind):
            part = getattr(value, name)
            if default is dataclasses.MISSING or part != default:
                plain[name] = to_plain(part)
        return plain
    raise TypeError(f"{kind.__name__} has no plain form: only text, whole numbers, truth values are signed")


def from_plain(hint: Any, plain: Any) -> Any:
    """Rebuild a value of type `hint` from its plain form.

    Raises:
        NewerFormat: a field or enum value this version does not know.
    """
    reader = _reader(hint)
    return plain if reader is None else reader(plain)


@functools.cache
def _reader(hint: Any) -> Callable[[Any], Any] | None:
    """The function that reads a `hint`; None where the plain form is the value."""
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        (only,) = [arg for arg in typing.get_args(hint) if arg is not type(None)]
        inner = _reader(only)
        return None if inner is None else lambda plain: None if plain is None else inner(plain)
    if origin is tuple:
        return _tuple_reader(typing.get_args(hint))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum_reader(hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _class_reader(hint)
    return None


def _tuple_reader(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        each = _reader(args[0])
        return tuple if each is None else lambda plain: tuple([each(one) for one in plain])
    return lambda plain: tuple(from_plain(arg, one) for arg, one in zip(args, plain, strict=True))


def _enum_reader(hint: type[Enum]) -> Callable[[Any], Any]:
    members = {member.value: member for member in hint}

    def read(plain: Any) -> Any:
        try:
            return members[plain]
        except (KeyError, TypeError) as error:
            raise _newer(f"the {hint.__name__} {plain!r}") from error

    return read


def _class_reader(hint: type[Any]) -> Callable[[Any], Any]:
    known = frozenset(name for name, _, _ in fields(hint))
    readers = tuple((name, reader) for name, each, _ in fields(hint) if (reader := _reader(each)) is not None)

    def read(plain: dict[str, Any]) -> Any:
        if not known.issuperset(plain):
            raise _newer(f"the field {min(plain.keys() - known)!r}")
        values = dict(plain)
        for name, reader in readers:
            if name in values:
                values[name] = reader(values[name])
        return hint(**values)

    return read


def change_to_plain(change: _change.Change) -> dict[str, Any]:
    """The change's kind beside its fields."""
    plain = to_plain(change)
    return {"kind": type(change).__name__, **plain}


def change_from_plain(plain: dict[str, Any]) -> _change.Change:
    """Rebuild a change from what `change_to_plain` gave."""
    values = dict(plain)
    return typing.cast(_change.Change, from_plain(kind_of(values.pop("kind")), values))


def kind_of(name: str) -> type[Any]:
    """The class of changes of that name.

    Raises:
        NewerFormat: this version knows no such change.
    """
    if name not in KINDS:
        raise _newer(f"a change of kind {name!r}")
    return KINDS[name]


def _newer(what: str) -> NewerFormat:
    return NewerFormat(
        f"This store holds {what}, which this version of Dream does not know.", "Update Dream, then try again."
    )

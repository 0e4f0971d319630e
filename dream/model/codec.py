"""Frozen dataclasses to plain JSON values and back, by their type hints; what is signed is written through here.

Plain values hold no floats. Fields at their default are left out, so that a field added later does not change how
old values are written. Unknown fields are refused: they were written by a newer Dream.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from enum import Enum
from typing import Any

from dream.errors import DreamError
from dream.model import change as _change

KINDS: dict[str, type[Any]] = {cls.__name__: cls for cls in typing.get_args(_change.Change)}


class NewerFormat(DreamError):
    """A value was written by a newer version of Dream."""

    code = "newer-format"


@functools.cache
def _fields(cls: Any) -> tuple[tuple[str, Any, Any], ...]:
    hints = typing.get_type_hints(cls)
    return tuple((field.name, hints[field.name], field.default) for field in dataclasses.fields(cls))


def to_plain(value: Any) -> Any:
    """Turn a dataclass, enum, tuple or scalar into dicts, lists, strings, ints, bools and None."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [to_plain(each) for each in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            name: to_plain(getattr(value, name))
            for name, _, default in _fields(type(value))
            if default is dataclasses.MISSING or getattr(value, name) != default
        }
    if value is None or isinstance(value, (str, bool, int)):
        return value
    raise TypeError(f"{type(value).__name__} has no plain form: only text, whole numbers, truth values are signed")


def from_plain(hint: Any, plain: Any) -> Any:
    """Rebuild a value of type `hint` from its plain form.

    Raises:
        NewerFormat: a field or enum value this version does not know.
    """
    origin = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        if plain is None:
            return None
        (only,) = [arg for arg in typing.get_args(hint) if arg is not type(None)]
        return from_plain(only, plain)
    if origin is tuple:
        args = typing.get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(from_plain(args[0], each) for each in plain)
        return tuple(from_plain(arg, each) for arg, each in zip(args, plain, strict=True))
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(plain)
        except ValueError as error:
            raise _newer(f"the {hint.__name__} {plain!r}") from error
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        known = {name: each for name, each, _ in _fields(hint)}
        unknown = plain.keys() - known.keys()
        if unknown:
            raise _newer(f"the field {sorted(unknown)[0]!r}")
        return hint(**{name: from_plain(known[name], each) for name, each in plain.items()})
    return plain


def change_to_plain(change: _change.Change) -> dict[str, Any]:
    """The body of an entry: the change's kind beside its fields."""
    plain = to_plain(change)
    return {"kind": type(change).__name__, **plain}


def change_from_plain(plain: dict[str, Any]) -> _change.Change:
    """Rebuild the change of an entry's body."""
    fields = dict(plain)
    kind = fields.pop("kind")
    if kind not in KINDS:
        raise _newer(f"a change of kind {kind!r}")
    return typing.cast(_change.Change, from_plain(KINDS[kind], fields))


def _newer(what: str) -> NewerFormat:
    return NewerFormat(
        f"This store holds {what}, which this version of Dream does not know.", "Update Dream, then try again."
    )

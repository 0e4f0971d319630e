"""What a model answered, read strictly: one JSON object that fits its schema, or a sentence that says why it is none.

Models wrap JSON in fences, prose and thoughts, and a server's grammar does not hold every bound (`minimum` of a number
is not enforced). So what is around the object is taken off, and the object itself is held to the schema to the letter:
a wrong type, a figure out of bounds, NaN, a truth value for a number, a key given twice are no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]
"""The part of JSON Schema that is used: type, enum, minimum, maximum, minLength, maxLength, items, minItems, maxItems,
properties, required."""

_THOUGHT = re.compile(r"<\|?(think|channel)\|?>.*?(?:</?\|?\1\|?>|<channel\|>)", re.DOTALL)
_LONE = re.compile("[\ud800-\udfff]")
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


class Unreadable(ValueError):
    """There is no answer in the text; the message says why, in words one can give back to the model."""


def read(text: str, schema: Schema) -> dict[str, Any]:
    """The one object in `text` that fits `schema`.

    Raises:
        Unreadable: there is none, there are several, or it does not fit.
    """
    objects = _objects(_THOUGHT.sub(" ", text))
    if not objects:
        raise Unreadable("it holds no JSON object")
    if len(objects) > 1:
        raise Unreadable("it holds more than one JSON object")
    try:
        plain = json.loads(objects[0], object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError as error:
        raise Unreadable("it is nested too deep") from error
    except json.JSONDecodeError as error:
        raise Unreadable(f"it is no JSON: {error.msg}") from error
    why = misfit(plain, schema)
    if why:
        raise Unreadable(why)
    whole: dict[str, Any] = _without_lone_surrogates(plain)
    return whole


def misfit(plain: Any, schema: Schema, where: str = "the object") -> str:
    """Why `plain` does not fit `schema`, or ""."""
    wanted = schema.get("type")
    if wanted is not None:
        fits = isinstance(plain, _TYPES[wanted]) and (wanted == "boolean" or not isinstance(plain, bool))
        if not fits:
            return f"{where} is not of type {wanted}"
    if "enum" in schema and not any(plain == each and type(plain) is type(each) for each in schema["enum"]):
        return f"{where} is none of {', '.join(map(str, schema['enum']))}"
    if isinstance(plain, (int, float)):
        low, high = schema.get("minimum"), schema.get("maximum")
        if (low is not None and not plain >= low) or (high is not None and not plain <= high):
            return f"{where} is not between {low} and {high}"
    if isinstance(plain, str) and not schema.get("minLength", 0) <= len(plain) <= schema.get("maxLength", len(plain)):
        return f"{where} is too short or too long"
    if isinstance(plain, list):
        return _list_misfit(plain, schema, where)
    if isinstance(plain, dict):
        missing = [name for name in schema.get("required", ()) if name not in plain]
        if missing:
            return f"{missing[0]} is missing"
        parts = schema.get("properties", {})
        faults = (misfit(plain[name], part, name) for name, part in parts.items() if name in plain)
        return next((fault for fault in faults if fault), "")
    return ""


def _list_misfit(plain: list[Any], schema: Schema, where: str) -> str:
    if not schema.get("minItems", 0) <= len(plain) <= schema.get("maxItems", len(plain)):
        return f"{where} holds {len(plain)} entries"
    faults = (misfit(each, schema.get("items", {}), f"an entry of {where}") for each in plain)
    return next((fault for fault in faults if fault), "")


def _objects(text: str) -> list[str]:
    """The outermost `{…}` of a text, strings respected; one that is never closed counts too."""
    found: list[str] = []
    depth, start, quoted, escaped = 0, 0, False, False
    for place, char in enumerate(text):
        if depth and quoted:
            quoted = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"' and depth:
            quoted = True
        elif char == "{":
            start = place if depth == 0 else start
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                found.append(text[start : place + 1])
    return found if depth == 0 else [*found, text[start:]]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Unreadable("a key is given twice")
    return dict(pairs)


def _no_constant(word: str) -> Any:
    raise Unreadable(f"{word} is no number")


def _without_lone_surrogates(plain: Any) -> Any:
    """Halves of characters become U+FFFD: they cannot be written as UTF-8."""
    if isinstance(plain, str):
        return _LONE.sub("\ufffd", plain)
    if isinstance(plain, list):
        return [_without_lone_surrogates(each) for each in plain]
    if isinstance(plain, dict):
        return {_without_lone_surrogates(key): _without_lone_surrogates(value) for key, value in plain.items()}
    return plain

"""A model's answer is read strictly: around the object anything goes, inside it nothing."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.model.reply import Unreadable, misfit, read

ANY = {"type": "object"}


@pytest.mark.parametrize(
    "text", ['{"a": 1}', '```json\n{"a": 1}\n```', 'Sure! {"a": 1} Done.', '<think>{"b": 2}</think>{"a": 1}']
)
def test_one_object_is_found_in_what_surrounds_it(text: str) -> None:
    assert read(text, ANY) == {"a": 1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('{"a": 1} {"a": 2}', "more than one"),
        ('{"a": 1', "no JSON"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": Infinity}', "no number"),
        ("{" * 5000, "JSON"),
    ],
)
def test_what_is_no_answer_says_why(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read(text, ANY)


@pytest.mark.parametrize(
    ("plain", "schema", "fits"),
    [
        (True, {"type": "integer"}, False),
        (1, {"type": "number"}, True),
        (1.5, {"type": "integer"}, False),
        (1, {"enum": [True]}, False),
        ("ab", {"type": "string", "maxLength": 1}, False),
        ([1, "a"], {"type": "array", "items": {"type": "integer"}}, False),
        ([1, 2, 3], {"type": "array", "maxItems": 2}, False),
        ({"a": {"b": 3}}, {"type": "object", "properties": {"a": {"type": "object", "required": ["c"]}}}, False),
        (float("nan"), {"type": "number", "minimum": 0}, False),
    ],
)
def test_a_schema_is_held_to_the_letter(plain: object, schema: dict[str, object], fits: bool) -> None:
    assert (misfit(plain, schema) == "") is fits


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), plain, max_size=4), st.text(alphabet="ab \n`.", max_size=12))
def test_any_object_comes_back_whole_out_of_prose(value: dict[str, object], prose: str) -> None:
    found = read(f"{prose}{json.dumps(value)}{prose}", ANY)
    assert json.loads(json.dumps(found)) == json.loads(json.dumps(value).encode("utf-8", "replace"))


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(Unreadable):
        json.dumps(read(text, ANY), ensure_ascii=False).encode()

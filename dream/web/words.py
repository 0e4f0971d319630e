"""The words of the pages in English and French. The English sentence is the key; codes get their own words in both."""

from __future__ import annotations

from pathlib import Path

LANGUAGES = ("en", "fr")


def language(chosen: str, accepted: str) -> str:
    """`en` or `fr`: what a person chose, else what the browser asks for first."""
    if chosen in LANGUAGES:
        return chosen
    best, weight = "en", 0.0
    for part in accepted.split(","):
        name, _, quality = part.strip().partition(";q=")
        tongue = name.split("-")[0].lower()
        try:
            worth = float(quality or 1)
        except ValueError:
            continue
        if tongue in LANGUAGES and worth > weight:
            best, weight = tongue, worth
    return best


def said(text: str, tongue: str) -> str:
    """The words for a key; a key without words in a language is shown as it is."""
    return (FRENCH if tongue == "fr" else ENGLISH).get(text, text)


def table(name: str) -> dict[str, str]:
    """Lines `key<tab>words`; a line that begins with # says something to translators."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


ENGLISH = table("english.tsv")
FRENCH = table("french.tsv")

"""Instants as Dream writes them (`2026-01-12T08:18:53.613Z`), without the import of `datetime` (start-up cost)."""

from __future__ import annotations

import re
import time

_ZONED = r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d)(?::\d\d)?)\Z"


def instant(stamp: object) -> str:
    """A timestamp with a zone as a UTC instant with milliseconds, or "" where it is none."""
    if not isinstance(stamp, str):
        return ""
    if _is_plain(stamp):
        return stamp
    found = re.match(_ZONED, stamp, re.ASCII)
    if found is None:
        return ""
    year, month, day, hour, minute = (int(found[n]) for n in range(1, 6))
    second = int(found[6] or 0)
    if not _is_date(year, month, day) or hour > 23 or minute > 59 or second > 59:
        return ""
    milliseconds = (found[7] or "0")[:3].ljust(3, "0")
    if found[8]:
        shift = int(found[9]) * 60 + int(found[10])
        minutes = hour * 60 + minute - (shift if found[8] == "+" else -shift)
        days, minutes = divmod(minutes, 1440)
        hour, minute = divmod(minutes, 60)
        day += days
        if day < 1:
            year, month = (year, month - 1) if month > 1 else (year - 1, 12)
            day += _days_in(year, month)
        elif day > _days_in(year, month):
            day -= _days_in(year, month)
            year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.{milliseconds}Z"


def of_epoch(seconds: float) -> str:
    """Seconds since 1970 as an instant."""
    milliseconds = int(seconds * 1000)
    whole, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{rest:03d}Z"


def to_epoch(stamp: str) -> float:
    """An instant as seconds since 1970. Raises ValueError for a text that is none."""
    plain = instant(stamp)
    if not plain:
        raise ValueError("not an instant")
    year, month, day = int(plain[:4]), int(plain[5:7]), int(plain[8:10])
    shifted = year - (month < 3)  # years from March, so that a leap day comes last (proleptic Gregorian calendar)
    days = shifted * 365 + shifted // 4 - shifted // 100 + shifted // 400
    days += (153 * ((month + 9) % 12) + 2) // 5 + day - 1 - 719_468
    return days * 86_400 + int(plain[11:13]) * 3_600 + int(plain[14:16]) * 60 + float(plain[17:23])


def _is_plain(stamp: str) -> bool:
    """Whether this is already the form Dream uses: the common case, told without a regex."""
    if len(stamp) != 24 or stamp[4:20:3] != "--T::." or stamp[23] != "Z" or not stamp.isascii():
        return False
    digits = stamp[:4] + stamp[5:7] + stamp[8:10] + stamp[11:13] + stamp[14:16] + stamp[17:19] + stamp[20:23]
    if not digits.isdigit() or digits[8:10] > "23" or digits[10:12] > "59" or digits[12:14] > "59":
        return False
    return _is_date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))


def _is_date(year: int, month: int, day: int) -> bool:
    return year > 0 and 1 <= month <= 12 and 1 <= day <= _days_in(year, month)


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31

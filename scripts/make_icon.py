"""Draw the plugin's icon, assets/icon.png: a crescent over a dark sky with three stars, 512 by 512, no alpha.

Standard library only; the same bytes each time, so that a test can hold the file to this program.
"""

from __future__ import annotations

import argparse
import math
import struct
import zlib
from pathlib import Path

SIDE = 512
SKY_TOP, SKY_BOTTOM, LIGHT = (24, 22, 58), (62, 44, 104), (246, 232, 196)
MOON, SHADOW = (238, 262, 150), (304, 214, 138)
STARS = ((372, 142, 13), (424, 262, 8), (322, 214, 7))
"""Circles: x, y, radius in pixels."""


def covered(x: float, y: float, circle: tuple[int, int, int]) -> float:
    """How much of the pixel at x, y the circle covers, 0 to 1, with an edge one pixel wide."""
    distance = math.hypot(x - circle[0], y - circle[1])
    return min(1.0, max(0.0, circle[2] - distance + 0.5))


def pixel(x: int, y: int) -> bytes:
    share = y / (SIDE - 1)
    sky = [top + (bottom - top) * share for top, bottom in zip(SKY_TOP, SKY_BOTTOM, strict=True)]
    light = covered(x, y, MOON) * (1.0 - covered(x, y, SHADOW))
    light = max([light, *(covered(x, y, star) for star in STARS)])
    return bytes(round(dark + (bright - dark) * light) for dark, bright in zip(sky, LIGHT, strict=True))


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png() -> bytes:
    """The file."""
    rows = b"".join(b"\0" + b"".join(pixel(x, y) for x in range(SIDE)) for y in range(SIDE))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows, 9)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("path", nargs="?", type=Path, default=Path(__file__).parents[1] / "assets" / "icon.png")
    path = parser.parse_args().path
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(png())
    print(path)


if __name__ == "__main__":
    main()

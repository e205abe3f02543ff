"""Pictures for tests, made on the spot."""

import struct
import zlib
from io import BytesIO
from pathlib import Path

from PIL import Image

from adapters.images.convert import ORIENTATION


def encoded(image: Image.Image, name: str, **options: object) -> bytes:
    stream = BytesIO()
    image.save(stream, name, **options)
    return stream.getvalue()


def plain(width: int = 1000, height: int = 500, mode: str = "RGB") -> Image.Image:
    """Left half red, right half blue."""
    image = Image.new(mode, (width, height), "red")
    image.paste("blue", (width // 2, 0, width, height))
    return image


def photo() -> bytes:
    """A JPEG that was taken with the camera on its side, with a place in its EXIF."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    exif[0x0110] = "A secret camera"
    exif.get_ifd(0x8825)[1] = "N"
    return encoded(plain(), "JPEG", exif=exif, quality=95)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def claimed_png(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG whose header claims a size that its data does not have."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(rows)), _chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def write(folder: Path, content: bytes) -> Path:
    path = folder / "source"
    path.write_bytes(content)
    return path


def _profile(space: bytes, tags: dict[bytes, bytes], connection: bytes = b"XYZ ") -> bytes:
    """An ICC profile of version 2, of a display (a printer's with a table)."""
    kind = b"prtr" if b"A2B0" in tags else b"mntr"
    names = struct.pack(">I", len(tags))
    at, bodies = 128 + 4 + 12 * len(tags), b""
    for name, body in tags.items():
        names += struct.pack(">4sII", name, at + len(bodies), len(body))
        bodies += body + bytes(-len(body) % 4)
    made = struct.pack(">6H", 2026, 1, 1, 0, 0, 0)
    head = (
        struct.pack(">4sI4s4s4s", b"none", 0x02400000, kind, space, connection)
        + made
        + b"acsp"
        + bytes(28)
        + _xyz(_D50)
    )
    return struct.pack(">I", at + len(bodies)) + head + bytes(128 - 4 - len(head)) + names + bodies


_D50 = (0.9642, 1.0, 0.8249)


def _xyz(values: tuple[float, ...]) -> bytes:
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def _curve(gamma: float) -> bytes:
    return b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256))


def wide_profile() -> bytes:
    """The profile of a display that shows the colours of Display P3 (adapted to D50)."""
    columns = {b"rXYZ": (0.5151, 0.2412, -0.0011), b"gXYZ": (0.2920, 0.6922, 0.0419), b"bXYZ": (0.1571, 0.0666, 0.7841)}
    tags = {name: b"XYZ " + bytes(4) + _xyz(values) for name, values in (columns | {b"wtpt": _D50}).items()}
    return _profile(b"RGB ", tags | {name: _curve(2.2) for name in (b"rTRC", b"gTRC", b"bTRC")})


def grey_profile() -> bytes:
    """A profile of light in proportion to its numbers: half of it is much brighter than in sRGB."""
    return _profile(b"GRAY", {b"wtpt": b"XYZ " + bytes(4) + _xyz(_D50), b"kTRC": _curve(1.0)})


def ink_profile() -> bytes:
    """The profile of a press whose cyan looks white and whose other inks are black: only its profile tells."""
    inks = range(16)
    # Lab of each mixture of four inks, none or all of each: the last one changes fastest.
    table = b"".join(bytes((255, 128, 128)) if ink in (0, 8) else bytes((0, 128, 128)) for ink in inks)
    ramp = bytes(range(256))
    matrix = struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
    a2b = b"mft1" + bytes(4) + bytes((4, 3, 2, 0)) + matrix + ramp * 4 + table + ramp * 3
    return _profile(b"CMYK", {b"wtpt": b"XYZ " + bytes(4) + _xyz(_D50), b"A2B0": a2b}, b"Lab ")

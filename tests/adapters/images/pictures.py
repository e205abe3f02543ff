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

"""QR codes (ISO/IEC 18004) of short texts: bytes, error correction L, versions 1 to 10, one mask; as PNG."""

import struct
import zlib
from base64 import b64encode

# Per version from 1: error-correction codewords of a block, and blocks, at level L.
_CORRECTION = (7, 10, 15, 20, 26, 18, 20, 24, 30, 18)
_BLOCKS = (1, 1, 1, 1, 1, 2, 2, 2, 2, 4)
_SCALE, _QUIET = 4, 4
_LEVEL_L = 1
Modules = list[list[bool | None]]


def data_address(text: str) -> str:
    """As data:image/png;base64,…"""
    return "data:image/png;base64," + b64encode(_png(matrix(text))).decode()


def matrix(text: str) -> list[list[bool]]:
    """Rows of dark (True) and light modules. Raises ValueError for more than 271 bytes."""
    data = text.encode()
    version = next((one for one in range(1, 11) if len(data) <= _room(one) - (2 if one < 10 else 3)), 0)
    if not version:
        raise ValueError("too long for a QR code of ours")
    size = version * 4 + 17
    modules: Modules = [[None] * size for _ in range(size)]
    _patterns(modules, version)
    _place(modules, _codewords(data, version))
    return [[bool(module) for module in row] for row in modules]


def _raw(version: int) -> int:
    """Codewords that the version has room for."""
    bits = (16 * version + 128) * version + 64
    if version >= 2:
        count = version // 7 + 2
        bits -= (25 * count - 10) * count - 55
    if version >= 7:
        bits -= 36
    return bits // 8


def _room(version: int) -> int:
    """Codewords for data."""
    return _raw(version) - _CORRECTION[version - 1] * _BLOCKS[version - 1]


def _codewords(data: bytes, version: int) -> bytes:
    width = 8 if version < 10 else 16
    bits = f"0100{len(data):0{width}b}" + "".join(f"{byte:08b}" for byte in data) + "0000"
    bits += "0" * (-len(bits) % 8)
    words = bytearray(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))[: _room(version)]
    fill = (0xEC, 0x11)
    words += bytes(fill[at % 2] for at in range(_room(version) - len(words)))
    return _interleaved(bytes(words), version)


def _interleaved(words: bytes, version: int) -> bytes:
    count, correction = _BLOCKS[version - 1], _CORRECTION[version - 1]
    short = len(words) // count
    longer = len(words) % count
    blocks, at = [], 0
    for number in range(count):
        size = short + (number >= count - longer)
        blocks.append(words[at : at + size])
        at += size
    divisor = _divisor(correction)
    checks = [_remainder(block, divisor) for block in blocks]
    mixed = [block[at] for at in range(short + 1) for block in blocks if at < len(block)]
    return bytes(mixed + [check[at] for at in range(correction) for check in checks])


def _times(x: int, y: int) -> int:
    """Product in GF(2^8) modulo 0x11D."""
    z = 0
    for at in range(7, -1, -1):
        z = (z << 1) ^ ((z >> 7) * 0x11D)
        z ^= ((y >> at) & 1) * x
    return z


def _divisor(degree: int) -> list[int]:
    result = [0] * (degree - 1) + [1]
    root = 1
    for _ in range(degree):
        for at in range(degree):
            result[at] = _times(result[at], root)
            if at + 1 < degree:
                result[at] ^= result[at + 1]
        root = _times(root, 2)
    return result


def _remainder(data: bytes, divisor: list[int]) -> list[int]:
    result = [0] * len(divisor)
    for byte in data:
        factor = byte ^ result.pop(0)
        result.append(0)
        result = [one ^ _times(part, factor) for one, part in zip(result, divisor, strict=True)]
    return result


def _patterns(modules: Modules, version: int) -> None:
    """What stands in every code of the version: finders, alignment, timing, format, version."""
    size = len(modules)
    for at in range(size):
        modules[6][at] = modules[at][6] = at % 2 == 0
    for x, y in ((3, 3), (size - 4, 3), (3, size - 4)):
        _ring(modules, x, y, 4, (2, 4))
    places = _alignment(version, size)
    for x in places:
        for y in places:
            if (x, y) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                _ring(modules, x, y, 2, (1,))
    _format(modules)
    if version >= 7:
        _version(modules, version)


def _ring(modules: Modules, x: int, y: int, reach: int, light: tuple[int, ...]) -> None:
    size = len(modules)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if 0 <= x + dx < size and 0 <= y + dy < size:
                modules[y + dy][x + dx] = max(abs(dx), abs(dy)) not in light


def _alignment(version: int, size: int) -> list[int]:
    if version == 1:
        return []
    count = version // 7 + 2
    step = (version * 8 + count * 3 + 5) // (count * 4 - 4) * 2
    return [6, *sorted(size - 7 - at * step for at in range(count - 1))]


def _format(modules: Modules) -> None:
    """Level L and mask 0, twice."""
    size = len(modules)
    data = _LEVEL_L << 3
    rest = data
    for _ in range(10):
        rest = (rest << 1) ^ ((rest >> 9) * 0x537)
    bits = [bool((((data << 10) | rest) ^ 0x5412) >> at & 1) for at in range(15)]
    first = [(8, at) for at in range(6)] + [(8, 7), (8, 8), (7, 8)] + [(14 - at, 8) for at in range(9, 15)]
    second = [(size - 1 - at, 8) for at in range(8)] + [(8, size - 15 + at) for at in range(8, 15)]
    for places in (first, second):
        for (x, y), bit in zip(places, bits, strict=True):
            modules[y][x] = bit
    modules[size - 8][8] = True


def _version(modules: Modules, version: int) -> None:
    rest = version
    for _ in range(12):
        rest = (rest << 1) ^ ((rest >> 11) * 0x1F25)
    bits = (version << 12) | rest
    for at in range(18):
        a, b = len(modules) - 11 + at % 3, at // 3
        modules[b][a] = modules[a][b] = bool(bits >> at & 1)


def _place(modules: Modules, words: bytes) -> None:
    """The data in its zigzag, under mask 0."""
    size = len(modules)
    bits = iter([bool(word >> at & 1) for word in words for at in range(7, -1, -1)])
    columns = [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]
    for number, right in enumerate(columns):
        rows = range(size - 1, -1, -1) if number % 2 == 0 else range(size)
        for y in rows:
            for x in (right, right - 1):
                if modules[y][x] is None:
                    modules[y][x] = next(bits, False) ^ ((x + y) % 2 == 0)


def _png(dark: list[list[bool]]) -> bytes:
    side = (len(dark) + 2 * _QUIET) * _SCALE
    blank = b"\x00" + b"\xff" * side
    rows = [blank] * (_QUIET * _SCALE)
    for row in dark:
        line = b"".join((b"\x00" if module else b"\xff") * _SCALE for module in row)
        edge = b"\xff" * (_QUIET * _SCALE)
        rows += [b"\x00" + edge + line + edge] * _SCALE
    rows += [blank] * (_QUIET * _SCALE)
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), 9)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)

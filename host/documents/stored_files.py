"""Files below {VAR_DIR}/files, named by the SHA-256 of their contents: written whole, sent in ranges, never changed."""

import hashlib
import os
import re
from pathlib import Path

from aiohttp import web

FOLDER = "files"
_DIGEST = re.compile(r"[0-9a-f]{64}")


def path_of(var_dir: Path, sha256: str) -> Path:
    """Where the contents with this digest are. Raises ValueError for what is no digest, such as part of a path."""
    if not _DIGEST.fullmatch(sha256):
        raise ValueError("not a SHA-256 in hexadecimal")
    return var_dir / FOLDER / sha256[:2] / sha256


def store(var_dir: Path, content: bytes) -> str:
    """Write a file; its SHA-256. Writing the same contents again changes nothing."""
    sha256 = hashlib.sha256(content).hexdigest()
    path = path_of(var_dir, sha256)
    if path.is_file():
        return sha256
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{sha256}.{os.getpid()}.new")
    new.write_bytes(content)
    new.replace(path)
    return sha256


class StoredFile(web.FileResponse):
    """A file as an attachment. It can be fetched in parts: `Range`, `If-Range`, `ETag`."""

    def __init__(self, path: Path, name: str, media_type: str, headers: dict[str, str]):
        super().__init__(path, headers=headers)
        # The name in the folder has no ending from which the type could be guessed.
        self.content_type = media_type
        self.headers["Content-Disposition"] = disposition(name)


def disposition(name: str) -> str:
    """`attachment` with a file name in any script (RFC 6266)."""
    plain = re.sub(r"[^\w .()-]", "_", name, flags=re.ASCII)
    encoded = "".join(chr(byte) if chr(byte) in _ATTRIBUTE else f"%{byte:02X}" for byte in name.encode())
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"


_ATTRIBUTE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

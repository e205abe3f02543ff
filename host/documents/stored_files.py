"""Files of FILES_DIR (domain/learning/files.py), sent whole or in ranges."""

import re
from pathlib import Path

from host.http.file_response import FileResponse


class StoredFileResponse(FileResponse):
    """A file that can be fetched in parts: `Range`, `If-Range`, `ETag`. As an attachment, unless `is_inline`."""

    def __init__(self, path: Path, name: str, media_type: str, headers: dict[str, str], *, is_inline: bool = False):
        super().__init__(path, headers=headers)
        # The name in the folder has no ending from which the type could be guessed.
        self.content_type = media_type
        if not is_inline:
            self.headers["Content-Disposition"] = disposition(name)


def disposition(name: str) -> str:
    """`attachment` with a file name in any script (RFC 6266)."""
    plain = re.sub(r"[^\w .()-]", "_", name, flags=re.ASCII)
    encoded = "".join(chr(byte) if chr(byte) in _ATTRIBUTE else f"%{byte:02X}" for byte in name.encode())
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"


_ATTRIBUTE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

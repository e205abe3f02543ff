"""A folder for files that can be regenerated: atomic writes, the oldest files deleted past a limit.

Oldest by modification time: a file that is still in use may be kept by setting its time (`os.utime`).
"""

from pathlib import Path
from secrets import token_hex

# Deleted at once, so that a full folder is not listed again for every file.
EVICTED_SHARE = 0.1
# The folder is listed again after this share: other processes write to it too, and a file may replace another.
LISTED_SHARE = 0.05


class BoundedFolder:
    """At most about `max_bytes` of files whose names end with `suffix`. Its methods block: call them in a thread."""

    def __init__(self, folder: Path, suffix: str, max_bytes: int):
        self.folder, self._suffix, self._max_bytes = folder, suffix, max_bytes
        # Bytes that may be written before the folder is listed again; the first write lists it.
        self._unlisted_bytes = 0

    def write(self, path: Path, content: bytes) -> None:
        """Raises OSError. Another process that reads gets the old file or the new one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{token_hex(8)}.new")
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        self._unlisted_bytes -= len(content)
        if self._unlisted_bytes < 0:
            free = self._max_bytes - self._drop_oldest()
            self._unlisted_bytes = min(free, int(self._max_bytes * LISTED_SHARE))

    def _files(self) -> list[tuple[float, int, Path]]:
        files = []
        for path in self.folder.rglob(f"*{self._suffix}"):
            try:
                state = path.stat()
            except FileNotFoundError:
                continue
            files.append((state.st_mtime, state.st_size, path))
        return files

    def _drop_oldest(self) -> int:
        """Delete the oldest files if all together exceed the limit; returns the bytes that remain."""
        files = sorted(self._files())
        left = sum(size for _, size, _ in files)
        if left <= self._max_bytes:
            return left
        for _, size, path in files:
            if left <= self._max_bytes * (1 - EVICTED_SHARE):
                break
            path.unlink(missing_ok=True)
            left -= size
        return left

"""A folder for files that can be regenerated: atomic writes, the oldest files deleted past a limit."""

from pathlib import Path
from secrets import token_hex

# Deleted at once, so that a full folder is not listed again for every file.
EVICTED_SHARE = 0.1


class BoundedFolder:
    """At most about `max_bytes` of files whose names end with `suffix`. Its methods block: call them in a thread."""

    def __init__(self, folder: Path, suffix: str, max_bytes: int):
        self.folder, self._suffix, self._max_bytes = folder, suffix, max_bytes
        self._bytes: int | None = None

    def write(self, path: Path, content: bytes) -> None:
        """Raises OSError. Another process that reads gets the old file or the new one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{token_hex(8)}.new")
        try:
            temporary.write_bytes(content)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        self._bytes = self._total() if self._bytes is None else self._bytes + len(content)
        if self._bytes > self._max_bytes:
            self._bytes = self._drop_oldest()

    def _files(self) -> list[tuple[float, int, Path]]:
        files = []
        for path in self.folder.rglob(f"*{self._suffix}"):
            try:
                state = path.stat()
            except FileNotFoundError:
                continue
            files.append((state.st_mtime, state.st_size, path))
        return files

    def _total(self) -> int:
        return sum(size for _, size, _ in self._files())

    def _drop_oldest(self) -> int:
        """Delete the oldest files; returns the bytes that remain."""
        files = sorted(self._files())
        left = sum(size for _, size, _ in files)
        for _, size, path in files:
            if left <= self._max_bytes * (1 - EVICTED_SHARE):
                break
            path.unlink(missing_ok=True)
            left -= size
        return left

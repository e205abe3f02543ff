"""Files that can be made again: whole or not at all, the oldest dropped past a limit; processes may share a folder."""

from pathlib import Path
from secrets import token_hex

# Freed in one go, so that a full disk is not looked through for every file.
FREED_SHARE = 0.1


class BoundedFolder:
    """At most about `most_bytes` of files whose names end with `suffix`. Its methods block: call them in a thread."""

    def __init__(self, folder: Path, suffix: str, most_bytes: int):
        self.folder, self._suffix, self._most = folder, suffix, most_bytes
        self._bytes: int | None = None

    def write(self, path: Path, content: bytes) -> None:
        """Raises OSError. Another process may be reading: it finds the old file or the new one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{token_hex(8)}.new")
        try:
            fresh.write_bytes(content)
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
        self._bytes = self._total() if self._bytes is None else self._bytes + len(content)
        if self._bytes > self._most:
            self._bytes = self._drop_oldest()

    def _files(self) -> list[tuple[float, int, Path]]:
        found = []
        for path in self.folder.rglob(f"*{self._suffix}"):
            try:
                state = path.stat()
            except FileNotFoundError:
                continue
            found.append((state.st_mtime, state.st_size, path))
        return found

    def _total(self) -> int:
        return sum(size for _, size, _ in self._files())

    def _drop_oldest(self) -> int:
        """Returns what is left, in bytes."""
        files = sorted(self._files())
        left = sum(size for _, size, _ in files)
        for _, size, path in files:
            if left <= self._most * (1 - FREED_SHARE):
                break
            path.unlink(missing_ok=True)
            left -= size
        return left

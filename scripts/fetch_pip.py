"""Installs pip into a virtual environment without it, as Debian's python3 without python3-venv makes one.

Usage: fetch_pip.py .venv/bin/python. Standard library only; the wheel is checked against the hash below.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

WHEEL = "pip-26.3-py3-none-any.whl"
SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
TIMEOUT_S = 30


def main(python: str) -> int:
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/") + "/pip/"
    data = _read(_address(index))
    if hashlib.sha256(data).hexdigest() != SHA256:
        print(f"{WHEEL} from {index} has an unexpected hash; nothing was installed", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(folder) / WHEEL
        wheel.write_bytes(data)
        # Python can run pip directly from the wheel, which is a zip archive.
        command = [python, f"{wheel}/pip", "install", "--quiet", "--no-index", str(wheel)]
        return subprocess.run(command, check=False).returncode


def _address(index: str) -> str:
    match = re.search(rf'href="([^"]*{re.escape(WHEEL)})[#"]', _read(index).decode())
    if match is None:
        raise SystemExit(f"{WHEEL} was not found at {index}")
    return urllib.parse.urljoin(index, match[1])


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=TIMEOUT_S) as response:  # noqa: S310 the index that pip uses too
        return bytes(response.read())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

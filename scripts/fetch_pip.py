"""Puts pip into a virtual environment whose Python came without it (Debian's python3 without python3-venv).

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
        print(f"{WHEEL} from {index} is not the one we know; nothing was installed", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        wheel = Path(folder) / WHEEL
        wheel.write_bytes(data)
        # A wheel is a zip archive that Python can run from.
        command = [python, f"{wheel}/pip", "install", "--quiet", "--no-index", str(wheel)]
        return subprocess.run(command, check=False).returncode


def _address(index: str) -> str:
    found = re.search(rf'href="([^"]*{re.escape(WHEEL)})[#"]', _read(index).decode())
    if found is None:
        raise SystemExit(f"{WHEEL} is not at {index}")
    return urllib.parse.urljoin(index, found[1])


def _read(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:  # noqa: S310 the index pip itself would ask
        return bytes(answer.read())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

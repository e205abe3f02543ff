"""Whether the Python locks are those of setup.cfg: each requirement is pinned within its bounds, the same in both."""

import configparser
import re
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent


def pins(lock: str) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def problems() -> list[str]:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    run, dev = pins("requirements.lock"), pins("requirements-dev.lock")
    found = _unmet(config["options"]["install_requires"], run, "requirements.lock")
    found += _unmet(config["options.extras_require"]["dev"], dev, "requirements-dev.lock")
    found += [
        f"{name} is {version} in requirements.lock, {dev.get(name, 'not')} in requirements-dev.lock"
        for name, version in run.items()
        if dev.get(name) != version
    ]
    return found


def _unmet(lines: str, locked: dict[str, str], lock: str) -> list[str]:
    wanted = [Requirement(line) for line in lines.strip().splitlines()]
    versions = [(one, locked.get(canonicalize_name(one.name))) for one in wanted]
    return [
        f"setup.cfg asks for {one}, {lock} has {version or 'none'}"
        for one, version in versions
        if version is None or not one.specifier.contains(version, prereleases=True)
    ]


if __name__ == "__main__":
    for line in (unmet := problems()):
        print(line, file=sys.stderr)
    sys.exit(1 if unmet else 0)

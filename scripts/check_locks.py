"""Checks the Python locks: each requirement of setup.cfg is pinned within its bounds, to the same version in both."""

import configparser
import re
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent


def pins(lock: str) -> dict[str, str]:
    pairs = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pairs}


def problems() -> list[str]:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    run, dev, otel = (pins(f"requirements{name}.lock") for name in ("", "-dev", "-otel"))
    lines = _unmet(config["options"]["install_requires"], run, "requirements.lock")
    lines += _unmet(config["options.extras_require"]["dev"], dev, "requirements-dev.lock")
    lines += _unmet(config["options.extras_require"]["otel"], otel, "requirements-otel.lock")
    lines += [
        f"{name} is {version} in requirements.lock, {dev.get(name, 'not')} in requirements-dev.lock"
        for name, version in run.items()
        if dev.get(name) != version
    ]
    lines += [
        f"{name} is {version} in requirements-otel.lock, {dev[name]} in requirements-dev.lock"
        for name, version in otel.items()
        if dev.get(name, version) != version
    ]
    return lines


def _unmet(lines: str, locked: dict[str, str], lock: str) -> list[str]:
    requirements = [Requirement(line) for line in lines.strip().splitlines()]
    versions = [(requirement, locked.get(canonicalize_name(requirement.name))) for requirement in requirements]
    return [
        f"setup.cfg requires {requirement}, {lock} has {version or 'none'}"
        for requirement, version in versions
        if version is None or not requirement.specifier.contains(version, prereleases=True)
    ]


if __name__ == "__main__":
    for line in (unmet := problems()):
        print(line, file=sys.stderr)
    sys.exit(1 if unmet else 0)

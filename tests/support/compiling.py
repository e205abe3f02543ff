"""Modules are compiled once, before the worker processes of a run start: each of them would compile all for itself."""

import compileall
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

from config.settings import ROOT

PRODUCT = ("adapters", "artwork", "config", "contracts", "domain", "host", "standins", "workers")


def compile_for_workers(config: pytest.Config) -> None:
    """Compile the product, and the test files of the run with the assertions that pytest rewrites."""
    if sys.dont_write_bytecode:
        return
    files = sorted({*_python_files(ROOT / name for name in PRODUCT), *_python_files(map(Path, _paths(config)))})
    processes = os.cpu_count() or 1
    children = [_fork(config, files[number::processes]) for number in range(processes)]
    for child in children:
        os.waitpid(child, 0)


def _paths(config: pytest.Config) -> list[str]:
    return [argument.partition("::")[0] for argument in config.args]


def _python_files(paths: Iterable[Path]) -> list[Path]:
    return [file.absolute() for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))]


def _fork(config: pytest.Config, files: list[Path]) -> int:
    child = os.fork()
    if not child:
        try:
            for file in files:
                _compile(config, file)
        finally:
            # What could not be compiled here fails where it is imported.
            os._exit(0)
    return child


def _compile(config: pytest.Config, file: Path) -> None:
    if not (file.name.startswith("test_") or file.name == "conftest.py"):
        compileall.compile_file(file, quiet=2)
        return
    compiled = rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(file, compiled) is None:
        source_hash, code = rewrite._rewrite_test(file, config)
        rewrite.try_makedirs(compiled.parent)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, compiled)

"""Runs a command of host/cli as its words on the command line do, and reads the tables that it prints."""

import argparse
from typing import Any

from config.settings import Settings


def run(command: Any, settings: Settings, *words: object) -> int:
    """`command`: its module. Returns the status that the process would end with."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    status: int = command.run(parser.parse_args([str(word) for word in words]), settings)
    return status


def cells(shown: str) -> list[list[str]]:
    """The cells of each line of a table."""
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in shown.splitlines() if line.startswith("│")]

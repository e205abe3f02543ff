"""`python -m host serve`."""

import argparse

from host import supervisor
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, settings: Settings) -> int:
    return supervisor.serve(settings)

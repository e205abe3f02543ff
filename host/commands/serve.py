"""`python -m host serve`."""

import argparse

from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, settings: Settings) -> int:
    from host import supervisor

    return supervisor.serve(settings)

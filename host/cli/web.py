"""`python -m host web`."""

import argparse

from host import web
from host.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, settings: Settings) -> int:
    return web.run(settings)

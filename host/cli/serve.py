"""`python -m host serve`: run the whole site on this machine."""

import argparse

from config.settings import Settings
from host.documents.certificates import key_setting
from host.supervisor import supervisor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, settings: Settings) -> int:
    key_setting.check(settings)
    return supervisor.serve(settings)

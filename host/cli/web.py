"""`python -m host web`: run one host process."""

import argparse

from config.settings import Settings
from host import web_process
from host.documents.certificates import key_setting


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace, settings: Settings) -> int:
    key_setting.check(settings)
    return web_process.run(settings)

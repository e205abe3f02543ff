"""`python -m host dev …`: inspect a running development site."""

from host.cli.dev.command import add_arguments, run, trace

__all__ = ["add_arguments", "run", "trace"]

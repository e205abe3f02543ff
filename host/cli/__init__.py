"""The commands of `python -m host`: each module has add_arguments and run."""

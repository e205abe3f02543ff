"""`python -m bench.search [--sizes 1000,100000] [--keep FOLDER] [--database mysql://…]`: prints the times of search."""

import argparse
import sys

from bench.search.timing import main

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--sizes", default="1000,100000", help="courses in each catalogue")
parser.add_argument("--keep", help="folder that keeps the databases for the next run")
parser.add_argument("--database", help="mysql://…/name: the size is added to the name; default SQLite")
sys.exit(main(parser.parse_args()))

import sys
from bench import pages
from bench.comparing import table

F = {"p1": pages.p1, "p2": pages.p2, "p3": pages.p3}
lines = [l for n in sys.argv[1:] for l in F[n]()]
print(table(lines))

#!/bin/sh
# duckdb 2.0.1 (PyPI): medians and quantiles of amounts of money, which are decimals.
#
# Expected: DuckDB's documentation, Aggregate Functions: for an even number of values `median` averages the two in the middle, and
#   `quantile_cont` interpolates between neighbours. What has more digits than the type is rounded, as DuckDB's own conversion to
#   that type does (last row).
# Happens: the result has the type of the values and is cut, not rounded: nine tenths of the way from 1.00 to 1.01 is 1.00. Of
#   decimals without digits after the point, 1 and 2, the median is 1; of the integers 1 and 2 it is 1.5. `avg` has a type
#   that holds it. Cast to DOUBLE or to a decimal with more digits first.
# For a shop: median prices and orders are up to a unit of the last digit too low, towards zero also for refunds; for currencies
#   without decimals, a report says 1 yen where another, of integers, says 1.5.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps duckdb==2.0.1

cat > run.py <<'END'
import duckdb

connection = duckdb.connect()
for type_name, low, high, call in [
    ("DECIMAL(10, 2)", "1.00", "1.01", "quantile_cont(v, 0.9)"),
    ("DECIMAL(10, 2)", "-1.00", "-1.01", "quantile_cont(v, 0.1)"),
    ("DECIMAL(10, 3)", "1.00", "1.01", "quantile_cont(v, 0.9)"),
    ("DOUBLE", "1.00", "1.01", "round(quantile_cont(v, 0.9), 2)"),
    ("DECIMAL(10, 0)", "1", "2", "median(v)"),
    ("INTEGER", "1", "2", "median(v)"),
    ("DECIMAL(10, 0)", "1", "2", "avg(v)"),
]:
    query = f"SELECT {call}, typeof({call}) FROM (VALUES ({low}::{type_name}), ({high}::{type_name})) AS amounts(v)"
    value, result_type = connection.execute(query).fetchone()
    print(f"{type_name} {low} {high} {call} -> {value} {result_type}")
print("1.009 as DECIMAL(10, 2) ->", connection.execute("SELECT 1.009::DECIMAL(10, 2), 1.009::DOUBLE::DECIMAL(10, 2)").fetchone())
END
venv/bin/python run.py > seen

cat > expected <<'END'
DECIMAL(10, 2) 1.00 1.01 quantile_cont(v, 0.9) -> 1.00 DECIMAL(10,2)
DECIMAL(10, 2) -1.00 -1.01 quantile_cont(v, 0.1) -> -1.00 DECIMAL(10,2)
DECIMAL(10, 3) 1.00 1.01 quantile_cont(v, 0.9) -> 1.009 DECIMAL(10,3)
DOUBLE 1.00 1.01 round(quantile_cont(v, 0.9), 2) -> 1.01 DOUBLE
DECIMAL(10, 0) 1 2 median(v) -> 1 DECIMAL(10,0)
INTEGER 1 2 median(v) -> 1.5 DOUBLE
DECIMAL(10, 0) 1 2 avg(v) -> 1.5 DOUBLE
1.009 as DECIMAL(10, 2) -> (Decimal('1.01'), Decimal('1.01'))
END
diff expected seen || { echo "duckdb_decimal_quantiles: the behaviour has changed" >&2; exit 1; }
cat seen

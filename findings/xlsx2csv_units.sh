#!/bin/sh
# xlsx2csv 0.8.6 (PyPI) writes a sheet of Excel as CSV; openpyxl 3.1.5 (PyPI) writes the sheet, and reads it for comparison.
#
# Expected: ECMA-376 Part 1, section 18.8.31: text in quotation marks in a number format is shown as it is; the letters d, m, y, h and
#   s in it are no parts of a date.
# Happens: a format whose quoted text has one of these letters makes the number a date, and the number is lost: what is written is
#   the format itself, with the day, month or second in the place of letters: 30 as 0" days" becomes 0" 29ays", 7 months become
#   0 "01ont12s", 4 courses 0 "kurse". With "EUR", or with no text, the number is written.
# For a shop: price lists and lesson plans of partners with "12 Stunden", "30 days" or "19.99 USD" in their cells arrive without
#   their numbers, without an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps xlsx2csv==0.8.6 openpyxl==3.1.5 et-xmlfile==2.0.0

cat > run.py <<'END'
import csv
from io import StringIO

from openpyxl import Workbook, load_workbook
from xlsx2csv import Xlsx2csv

book = Workbook()
for row, (value, number_format) in enumerate(
    [(30, '0" days"'), (7, '0 "months"'), (12, '0 "Stunden"'), (19.99, '#,##0.00 "USD"'), (4, '0 "Kurse"'), (19.99, '0.00 "EUR"'), (4, "0")], 1
):
    book.active.cell(row, 1, value).number_format = number_format
book.save("courses.xlsx")

text = StringIO()
Xlsx2csv("courses.xlsx").convert(text)
read = load_workbook("courses.xlsx").active
for cells, by_xlsx2csv in zip(read.iter_rows(), csv.reader(StringIO(text.getvalue()))):
    print(cells[0].number_format, "| openpyxl:", cells[0].value, "| xlsx2csv:", by_xlsx2csv[0])
END
venv/bin/python run.py > seen

cat > expected <<'END'
0" days" | openpyxl: 30 | xlsx2csv: 0" 29ays"
0 "months" | openpyxl: 7 | xlsx2csv: 0 "01ont12s"
0 "Stunden" | openpyxl: 12 | xlsx2csv: 0 "stun11en"
#,##0.00 "USD" | openpyxl: 19.99 | xlsx2csv: #,##0.00 "us18"
0 "Kurse" | openpyxl: 4 | xlsx2csv: 0 "kurse"
0.00 "EUR" | openpyxl: 19.99 | xlsx2csv: 19.99000000
0 | openpyxl: 4 | xlsx2csv: 4
END
diff expected seen || { echo "xlsx2csv_units: the behaviour has changed" >&2; exit 1; }
cat seen

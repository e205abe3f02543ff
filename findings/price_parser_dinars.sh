#!/bin/sh
# price-parser 0.5.1 (PyPI): prices of shops, read as amounts.
#
# Expected: the README promises thousands and decimal separators without effort, and an argument for those who know the separator.
#   ISO 4217 gives Bahrain, Kuwait, Oman and others three digits after the point; where a text has both a comma and a point,
#   in the order of 1,250.500, there is nothing to guess.
# Happens: three digits at the end are always thousands: 1,250.500 dinars become a million, although the currency is recognised
#   and both separators are there. With two digits the same text is right. `decimal_separator` repairs it.
# For a shop: prices of competitors or of an imported catalogue are a thousand times too high, in exactly the currencies whose
#   units are worth most; no error, and every other currency is right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps price-parser==0.5.1 attrs==26.1.0

cat > run.py <<'END'
from price_parser import Price

for text in ("USD 1,250.50", "BHD 1,250.500", "KWD 1.250,500", "OMR 12.500"):
    price = Price.fromstring(text)
    print(text, "->", price.amount, price.currency)
print("BHD 1,250.500 with decimal_separator ->", Price.fromstring("BHD 1,250.500", decimal_separator=".").amount)
END
venv/bin/python run.py > seen

cat > expected <<'END'
USD 1,250.50 -> 1250.50 USD
BHD 1,250.500 -> 1250500 BHD
KWD 1.250,500 -> 1250500 KWD
OMR 12.500 -> 12500 OMR
BHD 1,250.500 with decimal_separator -> 1250.500
END
diff expected seen || { echo "price_parser_dinars: the behaviour has changed" >&2; exit 1; }
cat seen

#!/bin/sh
# num2words 0.5.14 (PyPI): amounts in Arabic words, as invoices of many countries state them beside the figures.
#
# Expected: `to="currency"` with `currency="USD"` names dollars, or raises NotImplementedError for a currency that the language
#   lacks, as English does for KWD. A Kuwaiti dinar has a thousand fils (ISO 4217: three digits).
# Happens: in Arabic every code besides EGP, KWD and TND is written as Saudi riyals and halalas, without an error. And
#   thousandths are cut to hundredths under the name of thousandths: of 12.345 dinars, 345 fils become thirty-four fils.
# For a shop: an invoice over 12.50 US dollars says twelve riyals and fifty halalas in words, and where both are given, the words
#   are what counts.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps num2words==0.5.14 docopt==0.6.2

cat > run.py <<'END'
from decimal import Decimal

from num2words import num2words

RIYAL = "\u0631\u064a\u0627\u0644"
for currency, amount in [("SAR", "12.50"), ("USD", "12.50"), ("EUR", "12.50"), ("BHD", "12.345"), ("KWD", "12.345")]:
    words = num2words(Decimal(amount), to="currency", currency=currency, lang="ar")
    print(amount, currency, "riyals" if RIYAL in words else "not riyals", words)
try:
    num2words(Decimal("12.345"), to="currency", currency="KWD", lang="en")
except NotImplementedError as error:
    print("in English:", error)
END
PYTHONIOENCODING=utf-8 venv/bin/python run.py > seen

cat > expected <<'END'
12.50 SAR riyals اثنا عشر ريالاً و خمسون هللة
12.50 USD riyals اثنا عشر ريالاً و خمسون هللة
12.50 EUR riyals اثنا عشر ريالاً و خمسون هللة
12.345 BHD riyals اثنا عشر ريالاً و أربع و ثلاثون هللة
12.345 KWD not riyals اثنا عشر ديناراً و أربع و ثلاثون فلس
in English: Currency code "KWD" not implemented for "Num2Word_EN"
END
diff expected seen || { echo "num2words_arabic_amounts: the behaviour has changed" >&2; exit 1; }
cat seen

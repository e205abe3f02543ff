#!/bin/sh
# vat_moss 0.11.0 (PyPI), the tax of a billing address.
#
# Expected: an address in Switzerland is outside the European Union, and no VAT of the Union is charged on what is sold to it, as
#   the library itself answers for the next town. The Swiss code 3907 is that of Simplon Dorf, Gondo and Gabi: the 4,059 Swiss
#   codes of countrystatecity-postal-codes 2.0.1 have it for these alone.
# Happens: its table of exceptions has 3907 for a Swiss post office in Domodossola in Italy, which is closed, and does not look at
#   the town: every address of the three villages is taxed as Italian.
# For a shop: a customer in Simplon Dorf pays VAT of 22 percent that nobody owes. This shop's table (domain/tax/territories.py) was
#   compared with this one and leaves that row out.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check setuptools==80.9.0 wheel==0.45.1
venv/bin/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation vat_moss==0.11.0
venv/bin/pip install -qq --disable-pip-version-check --no-deps countrystatecity-postal-codes==2.0.1

cat > run.py <<'END'
import json
from pathlib import Path
from sysconfig import get_path

from vat_moss.billing_address import calculate_rate

for code, town in (("3900", "Brig"), ("3907", "Simplon Dorf")):
    rate, country, _ = calculate_rate("CH", code, town)
    print(f"vat_moss, CH-{code} {town}: {rate} of {country}")
file = Path(get_path("purelib"), "countrystatecity_postal_codes/data/by-country/CH/postcodes.json")
text = file.read_text("utf-8")
names = sorted({row["localityName"] for row in json.loads(text) if row["code"] == "3907"})
print(f"countrystatecity-postal-codes, CH-3907: {'; '.join(names)}")
END
venv/bin/python run.py > seen

cat > expected <<'END'
vat_moss, CH-3900 Brig: 0.0 of CH
vat_moss, CH-3907 Simplon Dorf: 0.22 of IT
countrystatecity-postal-codes, CH-3907: Gabi (Simplon); Gondo; Simplon Dorf; Simplon Hospiz
END
diff expected seen || { echo "vat_moss_simplon: the behaviour has changed" >&2; exit 1; }
cat seen

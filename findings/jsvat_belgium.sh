#!/bin/sh
# jsvat 2.5.4 (npm), VAT ids of the European Union.
#
# Expected: a Belgian VAT id is BE and the enterprise number: a digit that is 0 or 1, seven digits, two check digits (royal
#   decree of June 2003 on enterprise numbers). As those beginning with 0 run out, new firms get 1, which the tax
#   administration announced in 2022. python-stdnum 2.2 takes both, as does this shop (domain/tax/vat_ids.py).
# Happens: the pattern has an optional 0 before nine digits. An id that begins with 1 is refused for its form, before its check
#   digits are looked at.
# For a shop: firms founded lately in Belgium are told that their VAT id is wrong, and pay tax that a firm elsewhere in the
#   Union does not owe. (The ids below are computed, not taken from a register.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 jsvat@2.5.4
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps python-stdnum==2.2

cat > run.mjs <<'END'
import { belgium, checkVAT } from "jsvat";
for (const digits of ["09876543", "19876543"]) {
  const id = `BE${digits}${String(97 - (Number(digits) % 97)).padStart(2, "0")}`;
  const { isValid, isValidFormat } = checkVAT(id, [belgium]);
  console.log(`${id} jsvat: valid ${isValid}, form ${isValidFormat}`);
}
END
{
    node run.mjs
    venv/bin/python -c 'from stdnum.eu import vat; print("BE1987654318 python-stdnum: valid", vat.is_valid("BE1987654318"))'
} > seen

cat > expected <<'END'
BE0987654394 jsvat: valid true, form true
BE1987654318 jsvat: valid false, form false
BE1987654318 python-stdnum: valid True
END
diff expected seen || { echo "jsvat_belgium: the behaviour has changed" >&2; exit 1; }
cat seen

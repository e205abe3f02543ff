#!/bin/sh
# sepa-qr 0.0.2 (npm) writes the QR code of a transfer; segno 1.6.6 (PyPI) writes it for the same payment, and jsQR 1.4.0 (npm) reads
# both.
#
# Expected: EPC069-12 (QR code for SEPA credit transfers), data elements: after the purpose come three lines: the structured
#   reference (a creditor reference as of ISO 11649), the unstructured remittance information, and information of the beneficiary
#   to the originator. A payment has at most one of the first two.
# Happens: sepa-qr writes two lines for the three. `remittance`, which its README shows with "Invoice 123456789", becomes the
#   structured reference, and `information` becomes the remittance information. segno has the invoice in its place.
# For a shop: bank apps take "Invoice 7" for a reference whose check digits are wrong, or show the thanks as the purpose; then
#   the transfer arrives without the number by which it is matched.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 sepa-qr@0.0.2 jsqr@1.4.0 pngjs@7.0.0
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps segno==1.6.6

cat > run.py <<'END'
from segno.helpers import make_epc_qr

code = make_epc_qr(name="Example School", iban="DE02120300000000202051", bic="BYLADEM1001", amount=12.3, text="Invoice 7")
code.save("segno.png", scale=4)
END
venv/bin/python run.py
cat > run.cjs <<'END'
const { createWriteStream, readFileSync } = require("node:fs");
const jsQR = require("jsqr");
const { PNG } = require("pngjs");
const writeQR = require("sepa-qr");

const NAMES = ["bic", "name", "iban", "amount", "purpose", "structured", "unstructured", "information"];
function show(writer) {
  const { data, width, height } = PNG.sync.read(readFileSync(`${writer}.png`));
  const lines = jsQR(Uint8ClampedArray.from(data), width, height).data.split("\n").slice(4);
  NAMES.slice(4).forEach((name, index) => console.log(writer, name, "|", lines[index + 4] || "(empty)"));
}
show("segno");
writeQR({
  name: "Example School",
  iban: "DE02120300000000202051",
  bic: "BYLADEM1001",
  amount: 12.3,
  remittance: "Invoice 7",
  information: "Thank you",
})
  .pipe(createWriteStream("sepa-qr.png"))
  .on("finish", () => show("sepa-qr"));
END
node run.cjs > seen

cat > expected <<'END'
segno purpose | (empty)
segno structured | (empty)
segno unstructured | Invoice 7
segno information | (empty)
sepa-qr purpose | (empty)
sepa-qr structured | Invoice 7
sepa-qr unstructured | Thank you
sepa-qr information | (empty)
END
diff expected seen || { echo "sepa_qr_lines: the behaviour has changed" >&2; exit 1; }
cat seen

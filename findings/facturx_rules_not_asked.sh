#!/bin/sh
# factur-x 7.8 (PyPI), the check of an invoice by the rules of EN 16931.
#
# Expected: xml_check_schematron "returns True if the XML is valid against the schematron, raises an error if it is not" (its
#   docstring).
# Happens: the rules are run by a server at localhost:5000. Where none answers, the check is left out and returns True, with
#   a warning in the log alone; an invoice without its seller's VAT id is valid then. The same rules, which the package
#   brings with it, name what is wrong when saxonche 13.1.1 runs them.
# For a shop: invoices that buyers refuse count as checked. Here the rules are run by saxonche in the tests
#   (tests/host/documents_pdf/test_factur_x.py).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check factur-x==7.8 saxonche==13.1.1

cat > run.py <<'END'
import importlib.resources
import re

from facturx import xml_check_schematron
from facturx.generate_xml import generate_cii_xml
from saxonche import PySaxonProcessor

line = {"BT-126": "1", "BT-129": "1", "BT-130": "C62", "BT-131": "100.00", "BT-146": "100.00", "BT-151": "S"}
data = {
    "BT-1": "1", "BT-2": "2026-03-01", "BT-3": "380", "BT-5": "EUR", "BT-72": "2026-03-01",
    "BT-106": "100.00", "BT-109": "100.00", "BT-110": "19.00", "BT-112": "119.00", "BT-113": "119.00", "BT-115": "0.00",
    "BG-4": {"name": "Seller", "country_code": "DE"}, "BG-7": {"name": "Buyer", "country_code": "DE"},
    "BG-23": [{"BT-116": "100.00", "BT-117": "19.00", "BT-118": "S", "BT-119": "19"}],
    "BG-25": [{**line, "BT-152": "19", "BT-153": "Course"}],
}
xml = generate_cii_xml(data, level="en16931", check_xsd=True, check_schematron=False)
print("the library, without a server:", xml_check_schematron(xml, saxon_server_url="http://127.0.0.1:9/transform"))
with PySaxonProcessor(license=False) as processor:
    sheet = importlib.resources.files("facturx") / "xsd_and_schematron/facturx-en16931/FACTUR-X_EN16931.xslt"
    rules = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=str(sheet))
    report = rules.transform_to_string(xdm_node=processor.parse_xml(xml_text=xml.decode()))
print("the same rules by saxonche:", " ".join(sorted(set(re.findall(r"\[(BR-[A-Z0-9-]+)\]", report)))))
END
venv/bin/python run.py 2>/dev/null > seen

cat > expected <<'END'
the library, without a server: True
the same rules by saxonche: BR-CO-26 BR-S-02
END
diff expected seen || { echo "facturx_rules_not_asked: the behaviour has changed" >&2; exit 1; }
cat seen

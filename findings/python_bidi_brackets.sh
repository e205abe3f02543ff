#!/bin/sh
# python-bidi 0.6.12 (PyPI): `bidi.get_display`, and `bidi.algorithm.get_display`, which the package keeps beside it.
#
# Expected: one line for a text, as Unicode Standard Annex 9 has it. Its rule L4 shows mirrored characters, such as brackets, by their
#   mirror image where they are read from the right; the package's own documentation says of both functions that they return the
#   "display layout".
# Happens: since 0.5 the function of the package's front is another implementation, which puts characters in order but mirrors
#   none: brackets in Hebrew and Arabic texts turn away from what they enclose. The older one mirrors them, but does not pair
#   them (rule N0): the second bracket of a pair may go astray. Neither function gives the whole.
# For a shop: "(2024)" behind a Hebrew name on a document reads ")2024(". host/documents/bidi.py takes levels from the older
#   implementation and pairs brackets itself; tests/host/documents_pdf/test_scripts.py.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv || exit 2
venv/bin/pip install -qq --disable-pip-version-check --no-deps python-bidi==0.6.12

cat > run.py <<'END'
import bidi
from bidi import algorithm

hebrew = "\u05d0\u05d1"
for text in (f"{hebrew} (2024)", f"a ({hebrew}) {hebrew}"):
    for name, function in (("bidi", bidi.get_display), ("bidi.algorithm", algorithm.get_display)):
        print(name, ascii(function(text)))
END
venv/bin/python run.py > seen

cat > expected <<'END'
bidi ')2024( \u05d1\u05d0'
bidi.algorithm '(2024) \u05d1\u05d0'
bidi 'a (\u05d1\u05d0) \u05d1\u05d0'
bidi.algorithm 'a (\u05d1\u05d0 (\u05d1\u05d0'
END
diff expected seen || { echo "python_bidi_brackets: the behaviour has changed" >&2; exit 1; }
cat seen

#!/bin/sh
# extruct 0.18.0 (PyPI) and PyLD 3.3.0 (PyPI) look for JSON-LD in the same pages.
#
# Expected: the media type application/ld+json has the optional parameter `profile`, also on script elements: JSON-LD 1.1, section 7
#   and the registration of the type; "JSON-LD 1.1 Processing Algorithms and API" selects such elements by it
#   (LoadDocumentOptions). The data is the same with it.
# Happens: extruct compares the attribute as a whole, so a page with the parameter has no structured data, without an error.
#   PyLD, which implements the standard's own algorithm, finds it.
# For a shop: a catalogue collected from partners' pages, or a check of one's own, misses courses and prices on valid pages.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps extruct==0.18.0 pyld==3.3.0 lxml==6.1.3 lxml-html-clean==0.4.6 \
    rdflib==7.6.0 pyrdfa3==3.6.5 mf2py==2.0.2 w3lib==2.5.0 html-text==0.7.1 jstyleson==0.0.2 html5lib==1.1 six==1.17.0 \
    webencodings==0.6.1 pyparsing==3.3.3 requests==2.34.2 beautifulsoup4==4.15.0 soupsieve==2.8 frozendict==2.5.1 cachetools==8.0.2 \
    urllib3==2.8.0 idna==3.20 certifi==2026.10.18 charset-normalizer==3.5.2 typing-extensions==4.16.0

cat > run.py <<'END'
import extruct
from pyld import jsonld

DATA = '{"@context": "https://schema.org", "@type": "Course", "name": "Figures"}'
for media_type in ("application/ld+json", "application/ld+json;profile=http://www.w3.org/ns/json-ld#compacted"):
    page = f'<html><head><title>Figures</title><script type="{media_type}">{DATA}</script></head></html>'
    by_extruct = extruct.extract(page, syntaxes=["json-ld"])["json-ld"]
    by_pyld = jsonld.load_html(page, "https://shop.example/", "", {"extractAllScripts": True})
    print(media_type, f"extruct: {len(by_extruct)}, PyLD: {len(by_pyld)}")
END
venv/bin/python run.py > seen

cat > expected <<'END'
application/ld+json extruct: 1, PyLD: 1
application/ld+json;profile=http://www.w3.org/ns/json-ld#compacted extruct: 0, PyLD: 1
END
diff expected seen || { echo "extruct_json_ld_profile: the behaviour has changed" >&2; exit 1; }
cat seen

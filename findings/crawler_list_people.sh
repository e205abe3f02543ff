#!/bin/sh
# crawler-user-agents 1.67.0 (PyPI): browsers of people, taken for crawlers.
#
# Expected: the README calls it a list of the User-Agents of robots, crawlers and spiders; `is_crawler` says whether a header
#   is one of these.
# Happens: patterns are searched anywhere in the header, and some are no robot's name: AP3A.240617.008 is a build of Android 15
#   that telephones of OPPO and realme have in every browser, MetaIAB Facebook is the window in which Facebook's users read pages
#   (its crawler is facebookexternalhit), WhatsApp and Viber have windows beside their previews of links, and manufacturers call
#   telephones Butterfly, Fever and Expanse. The same headers without these words are no crawler.
# For a shop: the visits of these people are missing from its figures, and what they are shown is what crawlers are shown.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps crawler-user-agents==1.67.0

cat > run.py <<'END'
from crawleruseragents import is_crawler

ANDROID = "Mozilla/5.0 (Linux; Android 15; {}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36{}"
DESKTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko){} Chrome/108.0.5359.215 Safari/537.36{}"
for what, header in {
    "Chrome, reduced": ANDROID.format("K", ""),
    "Chrome on an OPPO": ANDROID.format("CPH2655 Build/AP3A.240617.008", ""),
    "Chrome on an HTC Butterfly": ANDROID.format("HTC Butterfly", ""),
    "Chrome on a Fever": ANDROID.format("Fever_Plus_J", ""),
    "Chrome on an Expanse": ANDROID.format("Expanse", ""),
    "Facebook's window": ANDROID.format("K; wv", " MetaIAB Facebook"),
    "WhatsApp's window": DESKTOP.format(" WhatsAppElectron/1.0.3", ""),
    "Viber's window": DESKTOP.format(" QtWebEngine/5.15.2", " Viber"),
    "Facebook's crawler": "facebookexternalhit/1.1",
}.items():
    print(what, "->", "crawler" if is_crawler(header) else "no crawler")
END
venv/bin/python run.py > seen

cat > expected <<'END'
Chrome, reduced -> no crawler
Chrome on an OPPO -> crawler
Chrome on an HTC Butterfly -> crawler
Chrome on a Fever -> crawler
Chrome on an Expanse -> crawler
Facebook's window -> crawler
WhatsApp's window -> crawler
Viber's window -> crawler
Facebook's crawler -> crawler
END
diff expected seen || { echo "crawler_list_people: the behaviour has changed" >&2; exit 1; }
cat seen

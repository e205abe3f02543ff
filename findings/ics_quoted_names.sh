#!/bin/sh
# ics 3.12.0 (npm) writes a calendar file whose organiser has a name with quotation marks; ical.js 2.2.1, node-ical 0.26.1 (npm),
# icalendar 7.3.2 and ics 0.7.3 (PyPI) read it.
#
# Expected: RFC 5545, section 3.2: the value of a parameter such as CN cannot contain a quotation mark, and a backslash has no
#   meaning there; RFC 6868 gives ^' for it. A library that takes a name writes it in one of these ways, or refuses it.
# Happens: ics writes CN="Anna \"Anni\" Muster". The value ends at the second mark, and each reader does something else: ical.js
#   has half a name, node-ical no organiser, icalendar none, with the error in a list; the ics of PyPI refuses the whole file.
# For a shop: an invitation to a live class by a teacher with a nickname arrives without its organiser, so that nobody can
#   accept it, or not at all. The library reports success.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 ics@3.12.0 ical.js@2.2.1 node-ical@0.26.1
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps icalendar==7.3.2 ics==0.7.3 python-dateutil==2.9.0.post0 \
    six==1.17.0 typing-extensions==4.16.0 tzdata==2026.6 arrow==1.4.0 tatsu==5.15.1 attrs==26.1.0

cat > run.mjs <<'END'
import { writeFileSync } from "node:fs";
import ICAL from "ical.js";
import { createEvent } from "ics";
import nodeIcal from "node-ical";

const { error, value: file } = createEvent({
  uid: "1@shop.example",
  title: "Live class",
  start: [2026, 11, 29, 10, 0],
  startInputType: "utc",
  duration: { hours: 1 },
  organizer: { name: 'Anna "Anni" Muster', email: "anna@shop.example" },
});
writeFileSync("class.ics", file);
console.log("written  ", file.split("\r\n").find((line) => line.startsWith("ORGANIZER")), "error:", error);
const event = new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent("vevent");
console.log("ical.js  ", event.getFirstProperty("organizer").getParameter("cn"));
const [read] = Object.values(nodeIcal.sync.parseICS(file)).filter(({ type }) => type === "VEVENT");
console.log("node-ical", read.organizer);
END
cat > run.py <<'END'
from pathlib import Path

import ics
from icalendar import Calendar

file = Path("class.ics").read_bytes().decode()
event = Calendar.from_ical(file).walk("VEVENT")[0]
print("icalendar", event.get("ORGANIZER"), "errors:", len(event.errors))
try:
    ics.Calendar(file)
except Exception as error:
    print("ics (PyPI)", type(error).__name__)
END
{ node run.mjs; venv/bin/python run.py; } > seen

cat > expected <<'END'
written   ORGANIZER;CN="Anna \"Anni\" Muster":MAILTO:anna@shop.example error: null
ical.js   Anna \
node-ical undefined
icalendar None errors: 1
ics (PyPI) ParseError
END
diff expected seen || { echo "ics_quoted_names: the behaviour has changed" >&2; exit 1; }
cat seen

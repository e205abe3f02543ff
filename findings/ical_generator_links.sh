#!/bin/sh
# ical-generator 10.2.0 (npm) writes a calendar file, ical.js 2.2.1 (npm) reads it.
#
# Expected: the property URL is a value of the type URI, and RFC 5545, section 3.3.13, says that no backslashes are added to it
#   (those belong to the type TEXT, section 3.3.11). What is read is the link that was given.
# Happens: ical-generator writes VALUE=URI and yet puts a backslash before each comma and semicolon, as in a text. ical.js
#   follows the standard and keeps the backslashes; readers that remove them everywhere hide the fault.
# For a shop: the link to a live class, a room or a seat leads nowhere in some calendars once it has a comma or semicolon,
#   which are ordinary characters of a URL. Links without them work, so no first test shows it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 ical-generator@10.2.0 ical.js@2.2.1

cat > run.mjs <<'END'
import ICAL from "ical.js";
import write from "ical-generator";

const calendar = write({ name: "Live classes" });
const start = new Date(Date.UTC(2026, 10, 29, 10));
calendar.createEvent({ id: "1@shop.example", start, summary: "Live class", url: "https://shop.example/live/7;room=a?seat=1,2" });
const file = calendar.toString();
console.log(`written ${file.split("\r\n").find((line) => line.startsWith("URL"))}`);
const event = new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent("vevent");
console.log(`read    ${event.getFirstPropertyValue("url")}`);
END
node run.mjs > seen

cat > expected <<'END'
written URL;VALUE=URI:https://shop.example/live/7\;room=a?seat=1\,2
read    https://shop.example/live/7\;room=a?seat=1\,2
END
diff expected seen || { echo "ical_generator_links: the behaviour has changed" >&2; exit 1; }
cat seen

#!/bin/sh
# icalendar 7.3.2 (PyPI) and node-ical 0.26.1 (npm) read the same calendar file: two events that begin at 10:00 in Berlin on the
# day before the clocks go back, one of P1D, one of PT24H.
#
# Expected: RFC 5545, section 3.3.6: days and weeks are nominal, so a day later is the same time on the clock (25 hours here);
#   hours, minutes and seconds are exact. P1D ends on the 25th at 10:00 (09:00 UTC), PT24H at 09:00 (08:00 UTC).
# Happens: icalendar takes both for a day, node-ical both for 24 hours. Each is wrong about one of them, and they disagree
#   about both.
# For a shop: an examination of 24 hours, or access of a day, ends an hour early or late for those who read the file with
#   another library. Write DTEND in UTC instead of a duration.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 node-ical@0.26.1
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps icalendar==7.3.2 python-dateutil==2.9.0.post0 six==1.17.0 \
    typing-extensions==4.16.0 tzdata==2026.6

# Lines of a calendar file end in CR LF.
event() {
    printf '%s\r\n' BEGIN:VEVENT "UID:$1" DTSTAMP:20261001T000000Z 'DTSTART;TZID=Europe/Berlin:20261024T100000' "DURATION:$1" END:VEVENT
}
{
    printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//shop.example//EN BEGIN:VTIMEZONE TZID:Europe/Berlin \
        BEGIN:DAYLIGHT TZOFFSETFROM:+0100 TZOFFSETTO:+0200 DTSTART:19810329T020000 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU' END:DAYLIGHT \
        BEGIN:STANDARD TZOFFSETFROM:+0200 TZOFFSETTO:+0100 DTSTART:19961027T030000 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU' END:STANDARD \
        END:VTIMEZONE
    event P1D
    event PT24H
    printf 'END:VCALENDAR\r\n'
} > exam.ics

cat > run.py <<'END'
from datetime import UTC
from pathlib import Path

from icalendar import Calendar

for event in Calendar.from_ical(Path("exam.ics").read_bytes()).walk("VEVENT"):
    print(f"icalendar {event['UID']} ends {event.end.astimezone(UTC):%Y-%m-%dT%H:%MZ}")
END
cat > run.mjs <<'END'
import ical from "node-ical";
for (const { uid, end } of Object.values(ical.sync.parseFile("exam.ics")).filter(({ type }) => type === "VEVENT"))
  console.log(`node-ical ${uid} ends ${end.toISOString().slice(0, 16)}Z`);
END
{ venv/bin/python run.py; node run.mjs; } > seen

cat > expected <<'END'
icalendar P1D ends 2026-10-25T09:00Z
icalendar PT24H ends 2026-10-25T09:00Z
node-ical P1D ends 2026-10-25T08:00Z
node-ical PT24H ends 2026-10-25T08:00Z
END
diff expected seen || { echo "calendar_durations: the behaviour has changed" >&2; exit 1; }
cat seen

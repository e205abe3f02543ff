#!/bin/sh
# robots-parser 3.0.1 (npm) and Protego 0.7.0 (PyPI) read the same robots.txt.
#
# Expected: RFC 9309, section 2.2.2: percent-encoded characters that need no encoding (letters, digits, "-", ".", "_", "~") are
#   decoded before a rule and an address are compared, in both. The third row is an example of that section.
# Happens: robots-parser compares them as they are written, so the rule does not hold. Protego follows the standard. (Both
#   compare other characters as the standard says: the last row.)
# For a shop: a rule for "/~team" or an address that some framework encoded once more holds for some crawlers and not for
#   others; a check of one's own robots.txt with this package reports what is not so. Write rules and links in one form.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 robots-parser@3.0.1
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps protego==0.7.0

# One pair a line: what is disallowed, what is asked for.
cat > pairs <<'END'
/~team /%7Eteam
/live-classes /live%2Dclasses
/foo/bar/%62%61%7A /foo/bar/baz
/kurse/%C3%BCbung /kurse/übung
END
cat > run.mjs <<'END'
import { readFileSync } from "node:fs";
import read from "robots-parser";
for (const line of readFileSync("pairs", "utf8").trim().split("\n")) {
  const [rule, path] = line.split(" ");
  const robots = read("https://shop.example/robots.txt", `User-agent: *\nDisallow: ${rule}\n`);
  console.log(`robots-parser ${line} ${robots.isAllowed(`https://shop.example${path}`, "anybot") ? "allowed" : "refused"}`);
}
END
cat > run.py <<'END'
from pathlib import Path

from protego import Protego

for line in Path("pairs").read_text("utf-8").splitlines():
    rule, path = line.split()
    robots = Protego.parse(f"User-agent: *\nDisallow: {rule}\n")
    print("protego", line, "allowed" if robots.can_fetch(f"https://shop.example{path}", "anybot") else "refused")
END
{ node run.mjs; PYTHONIOENCODING=utf-8 venv/bin/python run.py; } > seen

cat > expected <<'END'
robots-parser /~team /%7Eteam allowed
robots-parser /live-classes /live%2Dclasses allowed
robots-parser /foo/bar/%62%61%7A /foo/bar/baz allowed
robots-parser /kurse/%C3%BCbung /kurse/übung refused
protego /~team /%7Eteam refused
protego /live-classes /live%2Dclasses refused
protego /foo/bar/%62%61%7A /foo/bar/baz refused
protego /kurse/%C3%BCbung /kurse/übung refused
END
diff expected seen || { echo "robots_parser_escapes: the behaviour has changed" >&2; exit 1; }
cat seen

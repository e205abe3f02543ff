#!/bin/sh
# tincan 1.0.0 (PyPI), the xAPI client for Python: learning records whose id is a UUID of version 7.
#
# Expected: xAPI 1.0.3, part two, section 4.4: UUIDs are in their standard form; no version is asked for. RFC 9562 (2024), which
#   replaced RFC 4122, has versions 6 to 8 of the same form and variant; version 7 is the one it recommends for keys of
#   databases, and `uuid.UUID` of Python 3.11 reads it.
# Happens: tincan matches the text with a pattern that ends at version 5, and raises ValueError("Invalid UUID string").
#   An object of `uuid.UUID` with the same value passes.
# For a shop: a learning record that another system wrote with such an id cannot be read: of a page of statements, all are lost
#   for one of them. It is refused when it comes from JSON, not when it is made in Python, so tests do not notice.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps tincan==1.0.0 aniso8601==10.0.1 pytz==2026.6

cat > run.py <<'END'
import json
from uuid import UUID

from tincan import Statement, StatementsResult

V4 = "919108f7-52d1-4320-9bac-f847db4148a8"
V7 = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"


def statement(statement_id):
    return {
        "id": statement_id,
        "actor": {"mbox": "mailto:learner@shop.example"},
        "verb": {"id": "http://adlnet.gov/expapi/verbs/completed"},
        "object": {"id": "https://shop.example/courses/figures"},
    }


def outcome(read):
    try:
        return read()
    except (ValueError, TypeError) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


print("version 4 from JSON:", outcome(lambda: Statement.from_json(json.dumps(statement(V4))).id))
print("version 7 from JSON:", outcome(lambda: Statement.from_json(json.dumps(statement(V7))).id))
print("version 7 as a UUID:", outcome(lambda: Statement(id=UUID(V7)).id))
page = json.dumps({"statements": [statement(V4), statement(V7)]})
print("a page of both:", outcome(lambda: len(StatementsResult.from_json(page).statements)))
END
venv/bin/python run.py > seen

cat > expected <<'END'
version 4 from JSON: 919108f7-52d1-4320-9bac-f847db4148a8
version 7 from JSON: ValueError: Invalid UUID string
version 7 as a UUID: 017f22e2-79b0-7cc3-98c4-dc0c0c07398f
a page of both: TypeError: Property 'statements' in a 'tincan.StatementsResult' object must be set with a list or None.
END
diff expected seen || { echo "tincan_uuid: the behaviour has changed" >&2; exit 1; }
cat seen

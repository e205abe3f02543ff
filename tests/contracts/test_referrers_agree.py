"""Browser and host cut generated referrers alike, and no secret passes both."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from config.settings import ROOT
from domain.visits.referrers import PATH_LENGTH, cut_referrer
from tests.conftest import missing
from tests.support.waiting import LIMIT_S

SHOP = "https://shop.example"
SECRET = "s3cret"
# The browser's own function, for every line of its input, which is a list in JSON.
CUT = """
const source = require('node:fs').readFileSync('components/model/visitAddress.ts', 'utf8');
const module_ = { exports: {} };
new Function('module', 'exports', require('esbuild').transformSync(source, { loader: 'ts', format: 'cjs' }).code)(
  module_, module_.exports);
const cut = (referrer) => module_.exports.outerReferrer(referrer, process.argv[1]);
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => console.log(JSON.stringify(JSON.parse(line).map(cut))));
"""
# As browsers serialise addresses: ASCII, everything else in escapes.
WORD = st.text("abcXYZ019-_.~%@:;,+!", min_size=0, max_size=40)
SEGMENT = WORD | st.sampled_from(["email-verify", "forget-password", "Email-Verify", "logincallback"])
PERSON = st.sampled_from([f"{SECRET}@example.test", f"{SECRET}%40example.test"])
ORIGIN = st.sampled_from([SHOP, "http://shop.example", "https://news.example:8443", "android-app://com.example.mail"])
SEGMENTS = st.lists(SEGMENT | PERSON, max_size=12).map(lambda segments: "".join(f"/{segment}" for segment in segments))
# An email address across the end of the longest path.
LONG = st.builds("/{}/{}".format, st.integers(PATH_LENGTH - 24, PATH_LENGTH).map("a".__mul__), PERSON)
PATH = SEGMENTS | LONG
REFERRER = st.builds("{}{}{}".format, ORIGIN, PATH, st.sampled_from(["", f"?token={SECRET}", f"#{SECRET}", "?"]))


@pytest.fixture(scope="module")
def cut_in_browser() -> Iterator[Callable[[list[str]], list[str]]]:
    node = shutil.which("node")
    if node is None:
        missing("Node")
    with subprocess.Popen(
        [node, "-e", CUT, SHOP], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def cut(referrers: list[str]) -> list[str]:
            process.stdin.write(f"{json.dumps(referrers)}\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield cut
        process.stdin.close()
        assert process.wait(LIMIT_S) == 0


@pytest.mark.fuzz
@given(referrers=st.lists(REFERRER, min_size=50, max_size=150))
@settings(max_examples=8, deadline=None, phases=[Phase.generate])
def test_what_the_browser_cuts_is_a_beginning_of_what_the_host_would_keep(cut_in_browser, referrers):
    for referrer, cut in zip(referrers, cut_in_browser(referrers), strict=True):
        kept, whole = cut_referrer(cut, SHOP), cut_referrer(referrer, SHOP)
        assert SECRET not in kept + whole
        assert whole.startswith(kept) or kept.startswith(whole)
        assert bool(kept) == bool(whole)
        path = referrer.partition("://")[2].partition("?")[0].partition("#")[0].partition("/")[2]
        # The browser writes {token} for a segment that may be shorter, and cuts what that makes longer.
        if len(path) + len("{token}") * path.count("/") < PATH_LENGTH:
            assert kept == whole

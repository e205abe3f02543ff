#!/bin/sh
# webvtt-py 0.6.0 (PyPI) reads captions of videos and writes them as SubRip; pycaption 2.3.14 (PyPI) does the same.
#
# Expected: WebVTT, sections 4.2.2 and 6.4: in the text of a cue, "&amp;", "&lt;" and others stand for the signs, and "&" and "<" are
#   written so. SubRip has no escapes. `text` is documented as the text of the caption without its tags.
# Happens: escapes are treated in neither direction. `text` and the SubRip file that `save_as_srt` writes say "Q&amp;A: is a &lt; b?";
#   and "R&D: is a <b?" from SubRip is written as it is, which is no WebVTT: the rest of the line is a tag without an end.
#   pycaption has the signs in both, and escapes what it writes.
# For a shop: transcripts, search and subtitles of lessons on programming or mathematics show "&lt;" for "<", or lose what follows
#   it, in one of two libraries that read the same file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps webvtt-py==0.6.0 pycaption==2.3.14 beautifulsoup4==4.15.0 soupsieve==2.8 \
    lxml==6.1.3 cssutils==2.15.0 encutils==1.0.0 chardet==7.7.0 more-itertools==11.2.1 typing-extensions==4.16.0

cat > lesson.vtt <<'END'
WEBVTT

00:01.000 --> 00:04.000
<v Anna>Q&amp;A: is <i>a</i> &lt; b?</v>
END
printf '1\n00:00:01,000 --> 00:00:04,000\nR&D: is a <b?\n' > other.srt
cat > run.py <<'END'
from pathlib import Path

import webvtt
from pycaption import SRTReader, SRTWriter, WebVTTReader, WebVTTWriter

captions = webvtt.read("lesson.vtt")
print("webvtt-py text |", captions[0].text)
captions.save_as_srt("lesson.srt")
print("webvtt-py SubRip |", Path("lesson.srt").read_text("utf-8").splitlines()[2])
content = WebVTTReader().read(Path("lesson.vtt").read_text("utf-8"))
print("pycaption text |", content.get_captions(content.get_languages()[0])[0].get_text())
print("pycaption SubRip |", SRTWriter().write(content).splitlines()[2])
webvtt.from_srt("other.srt").save("other.vtt")
print("webvtt-py WebVTT |", Path("other.vtt").read_text("utf-8").splitlines()[-1])
written = WebVTTWriter().write(SRTReader().read(Path("other.srt").read_text("utf-8")))
print("pycaption WebVTT |", written.strip().splitlines()[-1])
END
venv/bin/python run.py > seen

cat > expected <<'END'
webvtt-py text | Q&amp;A: is a &lt; b?
webvtt-py SubRip | Q&amp;A: is a &lt; b?
pycaption text | Anna: Q&A: is a < b?
pycaption SubRip | Anna: Q&A: is a < b?
webvtt-py WebVTT | R&D: is a <b?
pycaption WebVTT | R&amp;D: is a &lt;b?
END
diff expected seen || { echo "webvtt_py_escapes: the behaviour has changed" >&2; exit 1; }
cat seen

#!/bin/sh
# subsrt 1.1.1 (npm) reads and converts captions of videos.
#
# Expected: WebVTT, section 4.1: a line of a file ends in CR LF, in LF or in CR. The README lists WebVTT and SubRip as formats that
#   it reads and writes. Most tools write LF.
# Happens: only files with CR LF are read. Of the same file with LF, WebVTT has no caption at all (all of it is taken for the
#   header), and converts to an empty text without an error; SubRip has one caption, whose text contains all the others with
#   their numbers and times.
# For a shop: a lesson's captions are empty in the other format, or stand on the screen as a whole from the first second on.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 subsrt@1.1.1

cat > run.mjs <<'END'
import subsrt from "subsrt";

const vtt = "WEBVTT\n\n00:01.000 --> 00:04.000\nHello\n\n00:05.000 --> 00:06.000\nGoodbye\n";
const srt = "1\n00:00:01,000 --> 00:00:04,000\nHello\n\n2\n00:00:05,000 --> 00:00:06,000\nGoodbye\n";
for (const [format, text, other] of [["vtt", vtt, "srt"], ["srt", srt, "vtt"]])
  for (const [ending, file] of [["CR LF", text.replaceAll("\n", "\r\n")], ["LF", text]]) {
    const captions = subsrt.parse(file, { format }).filter(({ type }) => type === "caption");
    const converted = subsrt.convert(file, { format: other });
    console.log(format, ending, "captions:", captions.length, `as ${other}:`, converted === "" ? "empty" : "with text");
    if (captions.length) console.log("   the first:", JSON.stringify(captions[0].text));
  }
END
node run.mjs > seen

cat > expected <<'END'
vtt CR LF captions: 2 as srt: with text
   the first: "Hello"
vtt LF captions: 0 as srt: empty
srt CR LF captions: 2 as vtt: with text
   the first: "Hello"
srt LF captions: 1 as vtt: with text
   the first: "Hello\r\n\r\n2\r\n00:00:05,000 --> 00:00:06,000\r\nGoodbye\r\n"
END
diff expected seen || { echo "subsrt_line_endings: the behaviour has changed" >&2; exit 1; }
cat seen

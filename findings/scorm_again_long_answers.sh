#!/bin/sh
# scorm-again 3.4.3 (npm): the run-time interface between a course of SCORM 2004 and the site that shows it; interactions are the
# answers in its tests.
#
# Expected: SCORM 2004 4th Edition, Run-Time Environment, 4.2.9.1: the correct response of a long-fill-in interaction is a text of
#   up to 4000 characters with {case_matters=…} and {lang=…} before it, both optional; it is one text, which no sign divides. The
#   Experience API took the format over (Part Two, 2.4.4.1), with both of them in its example of long-fill-in (appendix C).
# Happens: a text with a comma and one that begins with {case_matters=…} are refused with error 406, type mismatch. Without the
#   comma, with {lang=…} alone, and for fill-in with {case_matters=…}, they are taken; the learner's response may have commas.
# For a shop: tests of bought courses lose the expected answers of open questions, and those with short ones keep them; a package
#   that reads the error codes reports a fault of the site.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 scorm-again@3.4.3

cat > run.mjs <<'END'
import { Scorm2004API } from "scorm-again";

const api = new Scorm2004API({ autocommit: false, logLevel: 5 });
api.Initialize("");
const answers = [
  ["long-fill-in", "Light gives plants energy."],
  ["long-fill-in", "Light, water and air."],
  ["long-fill-in", "{lang=en}Light gives plants energy."],
  ["long-fill-in", "{case_matters=false}{lang=en}Light gives plants energy."],
  ["fill-in", "{case_matters=false}{lang=en}light"],
];
for (const [index, [type, answer]] of answers.entries()) {
  const interaction = `cmi.interactions.${index}`;
  api.SetValue(`${interaction}.id`, `question-${index}`);
  api.SetValue(`${interaction}.type`, type);
  const correct = api.SetValue(`${interaction}.correct_responses.0.pattern`, answer);
  console.log(type, "|", answer, "|", correct, api.GetLastError());
}
api.SetValue("cmi.interactions.0.learner_response", "Light, water and air.");
console.log("response of the learner |", api.GetValue("cmi.interactions.0.learner_response"));
END
node run.mjs > seen

cat > expected <<'END'
long-fill-in | Light gives plants energy. | true 0
long-fill-in | Light, water and air. | false 406
long-fill-in | {lang=en}Light gives plants energy. | true 0
long-fill-in | {case_matters=false}{lang=en}Light gives plants energy. | false 406
fill-in | {case_matters=false}{lang=en}light | true 0
response of the learner | Light, water and air.
END
diff expected seen || { echo "scorm_again_long_answers: the behaviour has changed" >&2; exit 1; }
cat seen

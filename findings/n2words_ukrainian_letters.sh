#!/bin/sh
# n2words 4.0.0 (npm): numbers and amounts in words, in 71 languages.
#
# Expected: Ukrainian is written in Cyrillic letters, the i among them U+0456 (Unicode CLDR, characters of the language uk). num2words
#   0.5.14 (PyPI) writes so.
# Happens: the i of all the words is the Latin one, U+0069, which looks the same: in 706 of the numbers from 0 to 1000, in ordinals
#   and in the names of the currency. Russian is as it should be.
# For a shop: amounts on Ukrainian invoices cannot be found by the search of a PDF or a database, change their type face in the
#   middle of a word, and are spelled out by screen readers; two texts that look the same compare as different.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 n2words@4.0.0
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps num2words==0.5.14 docopt==0.6.2

cat > run.mjs <<'END'
import * as russian from "n2words/ru-RU";
import * as ukrainian from "n2words/uk-UA";

const letters = (text) => [...new Set(text.match(/[a-z]/gi))].join("") || "none";
const mixed = ({ toCardinal }) => Array.from({ length: 1001 }, (_, number) => toCardinal(number)).filter((text) => /[a-z]/i.test(text));
console.log("n2words uk, numbers to 1000 with Latin letters:", mixed(ukrainian).length, "ru:", mixed(russian).length);
for (const text of [ukrainian.toCardinal(6), ukrainian.toOrdinal(3), ukrainian.toCurrency(2.5)])
  console.log(`n2words uk ${text} | Latin: ${letters(text)}`);
END
cat > run.py <<'END'
import re

from num2words import num2words

texts = [num2words(number, lang="uk") for number in range(1001)]
print("num2words uk, numbers to 1000 with Latin letters:", sum(bool(re.search("[a-zA-Z]", text)) for text in texts))
print("num2words uk", texts[6], "| Latin:", "".join(set(re.findall("[a-zA-Z]", texts[6]))) or "none")
END
{ node run.mjs; PYTHONIOENCODING=utf-8 venv/bin/python run.py; } > seen

cat > expected <<'END'
n2words uk, numbers to 1000 with Latin letters: 706 ru: 0
n2words uk шiсть | Latin: i
n2words uk третiй | Latin: i
n2words uk двi гривнi п'ятдесят копiйок | Latin: i
num2words uk, numbers to 1000 with Latin letters: 0
num2words uk шість | Latin: none
END
diff expected seen || { echo "n2words_ukrainian_letters: the behaviour has changed" >&2; exit 1; }
cat seen

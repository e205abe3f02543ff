#!/bin/sh
# limax 4.2.3 (npm): slugs that "include romanisation of Chinese and Japanese", from titles of courses.
#
# Expected: the README promises Hepburn for kana, and shows that kanji beside them are left out. In Hepburn the mark of a long
#   vowel repeats or lengthens the vowel: the word for data is "deta" or "dēta", that for tower "tawa" or "tawā".
# Happens: the mark removes the vowel before it: "dta" and "taw", which no reader and no search engine recognises. And as kanji
#   are left out once a title has a single kana, titles that differ in kanji alone get one slug: the history of Japan and
#   the history of China are both "no", which is the particle "of".
# For a shop: the second course has the address of the first, or is refused for it, and addresses say nothing. A slug needs a
#   check for words that were lost, and for another course that has it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 limax@4.2.3

cat > run.mjs <<'END'
import slug from "limax";
const titles = {
  "data": "データ",
  "tower": "タワー",
  "introduction to data analysis": "データ分析入門",
  "applied data analysis": "データ分析応用",
  "history of Japan": "日本の歴史",
  "history of China": "中国の歴史",
};
for (const [meaning, title] of Object.entries(titles)) console.log(`${meaning}: ${slug(title, { lang: "ja" })}`);
END
node run.mjs > seen

cat > expected <<'END'
data: dta
tower: taw
introduction to data analysis: dta
applied data analysis: dta
history of Japan: no
history of China: no
END
diff expected seen || { echo "limax_japanese: the behaviour has changed" >&2; exit 1; }
cat seen

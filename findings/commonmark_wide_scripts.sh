#!/bin/sh
# CommonMark 0.31.2: its reference implementation, commonmark 0.31.2 (npm), and markdown-it-py 4.3.0 (PyPI).
#
# Expected: asterisks around a passage emphasise it, in every script. The specification (section 6.2) motivates its rules with
#   words within spaces and with punctuation, and names no script for which they fail.
# Happens: asterisks between punctuation and a letter count as belonging to the letter's side alone. Chinese and Japanese write no
#   spaces, and Korean particles follow without one, so emphasis that ends with a bracket, a quotation mark, a colon or a
#   full stop stays as asterisks on the page. It depends on the sentence: with the punctuation outside, it works.
# For a shop: descriptions of courses and lessons in these languages show asterisks, here and there, in all Markdown
#   that follows the standard. Mended in host/rendering/markdown.py; tests/host/rendering/test_markdown.py.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --before=2026-11-29 commonmark@0.31.2
python3 -m venv venv
venv/bin/pip install -qq --disable-pip-version-check --no-deps markdown-it-py==4.3.0 mdurl==0.1.2

cat > texts <<'END'
これは**要点**です
これは**「要点」**です
**重要：**今すぐ
这是**想做的事。**所以
**마크다운(Markdown)**을
END
cat > run.mjs <<'END'
import { readFileSync } from "node:fs";
import { HtmlRenderer, Parser } from "commonmark";
for (const text of readFileSync("texts", "utf8").trim().split("\n"))
  console.log("commonmark", new HtmlRenderer().render(new Parser().parse(text)).trim());
END
cat > run.py <<'END'
from pathlib import Path

from markdown_it import MarkdownIt

for text in Path("texts").read_text("utf-8").splitlines():
    print("markdown-it-py", MarkdownIt("commonmark").render(text).strip())
END
{ node run.mjs; PYTHONIOENCODING=utf-8 venv/bin/python run.py; } > seen

cat > expected <<'END'
commonmark <p>これは<strong>要点</strong>です</p>
commonmark <p>これは**「要点」**です</p>
commonmark <p>**重要：**今すぐ</p>
commonmark <p>这是**想做的事。**所以</p>
commonmark <p>**마크다운(Markdown)**을</p>
markdown-it-py <p>これは<strong>要点</strong>です</p>
markdown-it-py <p>これは**「要点」**です</p>
markdown-it-py <p>**重要：**今すぐ</p>
markdown-it-py <p>这是**想做的事。**所以</p>
markdown-it-py <p>**마크다운(Markdown)**을</p>
END
diff expected seen || { echo "commonmark_wide_scripts: the behaviour has changed" >&2; exit 1; }
cat seen

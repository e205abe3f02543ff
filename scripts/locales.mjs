/**
 * Writes contracts/locales.json, how every locale of Unicode CLDR writes numbers, amounts and days, by the data of this
 * Node's ICU, and contracts/cases/locales.json, texts of Intl that all writers must agree with. With --check it writes
 * nothing and fails if a file would change.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { casesText } from './locales/cases.mjs';
import { formsOf } from './locales/forms.mjs';
import { localeTags } from './locales/tags.mjs';

const DATA = 'contracts/locales.json';
const CASES = 'contracts/cases/locales.json';
const ROOT = new URL('..', import.meta.url);
const SOURCE = {
  node: process.versions.node,
  icu: process.versions.icu,
  cldr: process.versions.cldr,
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** What of a row differs from the row of the shorter tag. */
function difference(row, parent) {
  const changed = Object.entries(row).filter(([name, value]) => !same(value, parent[name]));
  const merged = changed.map(([name, value]) =>
    ['signs', 'short'].includes(name) && parent[name]
      ? [name, difference(value, parent[name])]
      : [name, value],
  );
  return Object.fromEntries(merged);
}

/** Without signs that are the code itself: writers take that where there is no other. */
function whole(row) {
  const signs = Object.entries(row.signs).filter(([code, sign]) => sign !== code);
  return { ...row, signs: Object.fromEntries(signs) };
}

function tableText() {
  const tags = localeTags();
  const rows = new Map(tags.map((tag) => [tag, formsOf(tag)]));
  const lines = tags.map((tag) => {
    const parent = rows.get(tag.replace(/-[^-]*$/, ''));
    const row = tag.includes('-') && parent ? difference(rows.get(tag), parent) : whole(rows.get(tag));
    return `${JSON.stringify(tag)}: ${JSON.stringify(row)}`;
  });
  return `{\n"source": ${JSON.stringify(SOURCE)},\n"locales": {\n${lines.join(',\n')}\n}\n}\n`;
}

const texts = { [DATA]: tableText(), [CASES]: casesText(SOURCE) };
const read = (path) => {
  try {
    return readFileSync(new URL(path, ROOT), 'utf8');
  } catch {
    return '';
  }
};
const changed = Object.entries(texts).filter(([path, text]) => read(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of changed) process.stderr.write(`${path} is not what Node ${SOURCE.node} gives\n`);
  process.exitCode = changed.length ? 1 : 0;
} else {
  for (const [path, text] of changed) writeFileSync(new URL(path, ROOT), text);
}

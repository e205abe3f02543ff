// HTML as its checkers want it: React writes `fetchPriority`, `<img/>`, `open=""` and `id="B:0"`, which browsers read
// just as well.
// Changed in React's own server code while bundling, so that no page pays for it (a pass over the finished markup costs
// half of what drawing it does).
import { readFile } from 'node:fs/promises';

const EDITS = {
  'react-dom-server.node.production.js': [
    // Ids of late parts; the script that moves them takes whatever they are called.
    ['idPrefix + "P:"', 'idPrefix + "P-"', 1],
    ['idPrefix + "S:"', 'idPrefix + "S-"', 1],
    ['idPrefix + "B:"', 'idPrefix + "B-"', 1],
    [
      `attributeEmptyString = stringToPrecomputedChunk('=""')`,
      `attributeEmptyString = stringToPrecomputedChunk("")`,
      1,
    ],
    [
      'endOfStartTagSelfClosing = stringToPrecomputedChunk("/>")',
      'endOfStartTagSelfClosing = stringToPrecomputedChunk(">")',
      1,
    ],
    [
      'target.push(attributeSeparator, name, attributeEmptyString)',
      'target.push(attributeSeparator, name.toLowerCase(), attributeEmptyString)',
      3,
    ],
    [
      `selectedMarkerAttribute = stringToPrecomputedChunk(' selected=""')`,
      `selectedMarkerAttribute = stringToPrecomputedChunk(' selected')`,
      1,
    ],
  ],
  'react-dom-server-legacy.node.production.js': [
    [`target.push(" ", name, '=""')`, 'target.push(" ", name.toLowerCase())', 3],
    ['.push("/>");', '.push(">");', 4],
    [`.push(' selected=""')`, `.push(' selected')`, 3],
  ],
};
// The names of attributes in both files; SVG's own camel case is put right again by every HTML parser.
const BOTH = [
  ['name = aliases.get(name) || name', 'name = aliases.get(name) || name.toLowerCase()', 1],
  ['case "preserveAlpha":', 'case "preserveAlpha":\n      name = name.toLowerCase();', 1],
];

export const tidyMarkup = {
  name: 'tidyMarkup',
  setup(plugin) {
    plugin.onLoad(
      { filter: /[\\/]react-dom-server(?:-legacy)?\.node\.production\.js$/ },
      async ({ path }) => {
        const edits = EDITS[path.split(/[\\/]/).pop()] ?? [];
        return { contents: edited(await readFile(path, 'utf8'), [...edits, ...BOTH], path), loader: 'js' };
      },
    );
  },
};

function edited(text, edits, path) {
  let made = text;
  for (const [before, after, times] of edits) {
    const parts = made.split(before);
    if (parts.length - 1 !== times) throw new Error(`${path} is written in a new way: ${before}`);
    made = parts.join(after);
  }
  return made;
}

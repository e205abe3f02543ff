// The oldest browsers that the site supports: `browserslist` in package.json, as the build and the check read it.
import { readFileSync } from 'node:fs';

/** Browser -> oldest version: { chrome: '109', … }. Throws when an entry has another form than "name >= version". */
export function browserFloor(root) {
  const { browserslist } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  return Object.fromEntries(
    browserslist.map((entry) => {
      const match = /^(\w+) >= (\d+(?:\.\d+)?)$/.exec(entry);
      if (!match) throw new Error(`package.json, browserslist: write "${entry}" as "name >= version"`);
      return [match[1], match[2]];
    }),
  );
}

const ESBUILD_NAMES = { ios_saf: 'ios' };

/** The floor as esbuild's target: syntax above it is rewritten, in scripts and style sheets. */
export function buildTarget(floor) {
  return Object.entries(floor).map(([name, version]) => (ESBUILD_NAMES[name] ?? name) + version);
}

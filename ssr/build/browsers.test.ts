/** @jest-environment node */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: the build is plain JavaScript
import { browserFloor, buildTarget } from './browsers.mjs';

const floor = browserFloor(process.cwd());

test('README states the floor of package.json', () => {
  const readme = readFileSync('README.md', 'utf8');
  const { chrome, firefox, safari } = floor;
  expect(readme).toContain(`Chrome and Edge from ${chrome}, Firefox from ${firefox}, Safari from ${safari}`);
  expect([floor.edge, floor.ios_saf]).toEqual([chrome, safari]);
});

test('the target of the build has every browser of the floor', () => {
  expect(buildTarget({ chrome: '109', ios_saf: '16.4' })).toEqual(['chrome109', 'ios16.4']);
  expect(buildTarget(floor)).toHaveLength(5);
});

test('an entry that is no version is refused with what to write', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floor-'));
  writeFileSync(join(folder, 'package.json'), '{"browserslist": ["last 2 versions"]}');
  expect(() => browserFloor(folder)).toThrow('write "last 2 versions" as "name >= version"');
});

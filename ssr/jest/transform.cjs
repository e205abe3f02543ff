const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { extname } = require('node:path');
const { transformSync, version } = require('esbuild');

const LOADERS = { '.ts': 'ts', '.tsx': 'tsx', '.js': 'js', '.mjs': 'js', '.cjs': 'js', '.jsx': 'jsx' };
const OPTIONS = {
  format: 'cjs',
  jsx: 'automatic',
  target: 'node20',
  sourcemap: 'external',
  // Jest's sandbox has no loader for import(): it becomes require, one tick later.
  supported: { 'dynamic-import': false },
  // Modules are strict code, so their CommonJS form must be, too.
  tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
};
// Part of the cache key: the result depends on this file.
const SELF = readFileSync(__filename);

/** Jest's transformer. It uses the build's compiler, so that tests run the same code. jest.mock is not hoisted. */
module.exports = {
  process(source, path) {
    const { code, map } = transformSync(source, {
      ...OPTIONS,
      loader: LOADERS[extname(path)],
      sourcefile: path,
    });
    return { code, map };
  },
  getCacheKey(source, path, { instrument }) {
    const hash = createHash('sha256').update(SELF).update(version).update(path).update(String(instrument));
    return hash.update('\0').update(source).digest('hex');
  },
};

// One chunk for everything that more than one part of the site uses.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build } from 'esbuild';

// The component page of development uses everything, which makes nothing shared but what is always there.
const NOT_COUNTED = 'components/pages/StyleguidePage.tsx';
const TOGETHER = 'together:shared';

/**
 * esbuild makes a chunk for each combination of pages that share a module: a dozen files of a few hundred bytes, each
 * with its own way to the visitor. Modules that every page reaches have one combination and become one chunk, so every
 * page is given an import of all that are shared.
 */
export async function together(options) {
  const { metafile } = await build({ ...options, metafile: true, write: false, minify: false });
  const { inputs } = metafile;
  const roots = rootsOf(inputs, Object.values(options.entryPoints));
  const shared = sharedOf(inputs, roots);
  return {
    name: 'together',
    setup(plugin) {
      plugin.onResolve({ filter: /^together:/ }, () => ({ path: TOGETHER, namespace: 'together' }));
      plugin.onLoad({ filter: /.*/, namespace: 'together' }, () => ({
        contents: shared
          .map((path) => `import ${JSON.stringify(resolve(options.absWorkingDir, path))};`)
          .join('\n'),
        resolveDir: options.absWorkingDir,
      }));
      for (const root of roots) {
        const path = resolve(options.absWorkingDir, root);
        plugin.onLoad({ filter: new RegExp(`^${path.replace(/[\\/.]/g, '\\$&')}$`) }, async () => ({
          contents: `${await readFile(path, 'utf8')}\nimport '${TOGETHER}';`,
          loader: 'tsx',
        }));
      }
    },
  };
}

/** Where code begins to load: the entries, and whatever is imported when needed. */
function rootsOf(inputs, entries) {
  const later = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
  );
  return [...new Set([...entries, ...later])].filter((path) => path.endsWith('.tsx'));
}

function sharedOf(inputs, roots) {
  const counts = new Map();
  for (const root of roots.filter((path) => path !== NOT_COUNTED))
    for (const path of reached(inputs, root)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const always = reached(inputs, roots[0]);
  for (const path of reached(inputs, NOT_COUNTED)) if (always.has(path)) counts.set(path, 2);
  return [...counts].filter(([path, count]) => count > 1 && !path.includes(':')).map(([path]) => path);
}

function reached(inputs, path, seen = new Set()) {
  if (seen.has(path) || !inputs[path]) return seen;
  seen.add(path);
  for (const { path: next, kind } of inputs[path].imports)
    if (kind === 'import-statement' || kind === 'require-call') reached(inputs, next, seen);
  return seen;
}

// One chunk for everything that more than one part of the site uses.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build } from 'esbuild';

// The component page of development uses everything. The cart and the wishlist are opened by somebody who is about to
// act, the screens of identity by somebody who signs in: what only such pages share is a chunk of its own instead of
// coming along with every page.
const GUIDE = 'components/pages/StyleguidePage.tsx';
const PREFIX = 'together:';
const SHARED = `${PREFIX}shared`;
const ASIDES = {
  cart: /^components\/(?:pages\/(?:Cart|Wishlist)Page|cart\/\w+)\.tsx?$/,
  identity:
    /^components\/(?:pages\/(?:\w*Login|Register|\w*Forgot|Forget\w*|\w*Verify|\w*Password|Logout)Page|identity\/\w+)\.tsx?$/,
  account: /^components\/(?:pages\/(?:Profile|Additional)Page|account\/\w+)\.tsx?$/,
};

/**
 * esbuild makes a chunk for each combination of pages that share a module: a dozen files of a few hundred bytes, each
 * with its own way to the visitor. Modules that every page reaches have one combination and become one chunk, so every
 * page is given an import of all that are shared.
 */
export async function together(options) {
  const { metafile } = await build({ ...options, metafile: true, write: false, minify: false });
  const { inputs } = metafile;
  const roots = rootsOf(inputs, Object.values(options.entryPoints));
  const groups = groupsOf(inputs, roots);
  return {
    name: 'together',
    setup(plugin) {
      plugin.onResolve({ filter: /^together:/ }, ({ path }) => ({ path, namespace: 'together' }));
      plugin.onLoad({ filter: /.*/, namespace: 'together' }, ({ path: name }) => ({
        contents: groups[name]
          .map((path) => `import ${JSON.stringify(resolve(options.absWorkingDir, path))};`)
          .join('\n'),
        resolveDir: options.absWorkingDir,
      }));
      for (const root of roots) {
        const path = resolve(options.absWorkingDir, root);
        const names = groupNamesOf(root, groups);
        plugin.onLoad({ filter: new RegExp(`^${path.replace(/[\\/.]/g, '\\$&')}$`) }, async () => ({
          contents: [await readFile(path, 'utf8'), ...names.map((name) => `import '${name}';`)].join('\n'),
          loader: path.endsWith('x') ? 'tsx' : 'ts',
        }));
      }
    },
  };
}

/** The asides that a root belongs to: the component page belongs to all of them. */
const asidesOf = (root) => Object.keys(ASIDES).filter((name) => root === GUIDE || ASIDES[name].test(root));
const isAside = (root) => asidesOf(root).length > 0;

/** What a root is given: all that is shared, and each group of its own asides. */
function groupNamesOf(root, groups) {
  const asides = asidesOf(root);
  const isOwn = (name) => asides.some((aside) => name.slice(PREFIX.length).split('+').includes(aside));
  return Object.keys(groups).filter((name) => name === SHARED || isOwn(name));
}

/** Where code begins to load: the entries, and whatever is imported when needed. */
function rootsOf(inputs, entries) {
  const later = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
  );
  return [...new Set([...entries, ...later])].filter((path) => /\.tsx?$/.test(path));
}

/** Modules by the chunk they share: what pages have in common, and what only those of the same asides do. */
function groupsOf(inputs, roots) {
  const always = reached(inputs, roots[0]);
  const asideRoots = roots.filter(isAside);
  const shared = countsOf(
    inputs,
    roots.filter((root) => !isAside(root)),
  );
  for (const root of asideRoots)
    for (const path of reached(inputs, root)) if (always.has(path)) shared.set(path, 2);
  const isOften = (counts) => (path) => counts.get(path) > 1 && !path.includes(':');
  const groups = { [SHARED]: [...shared.keys()].filter(isOften(shared)) };
  const own = asideRoots.filter((root) => root !== GUIDE);
  const aside = countsOf(inputs, own);
  for (const path of [...aside.keys()].filter((one) => isOften(aside)(one) && !shared.has(one))) {
    const users = own.filter((root) => reached(inputs, root).has(path)).flatMap(asidesOf);
    const name = PREFIX + [...new Set(users)].sort().join('+');
    groups[name] = [...(groups[name] ?? []), path];
  }
  return groups;
}

function countsOf(inputs, roots) {
  const counts = new Map();
  for (const root of roots)
    for (const path of reached(inputs, root)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

function reached(inputs, path, seen = new Set()) {
  if (seen.has(path) || !inputs[path]) return seen;
  seen.add(path);
  for (const { path: next, kind } of inputs[path].imports)
    if (kind === 'import-statement' || kind === 'require-call') reached(inputs, next, seen);
  return seen;
}

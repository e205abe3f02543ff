// Puts the modules that several pages share into few chunks.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const PREFIX = 'shared-chunk:';
const COMMON = `${PREFIX}common`;

/**
 * An esbuild plugin that gives every page an import of the modules that pages share. By itself esbuild makes a chunk
 * for each combination of pages that share a module: a dozen files of a few hundred bytes, one request each. Modules
 * that every page reaches have one combination and become one chunk.
 *
 * `areas`: name -> beginnings of paths. Modules that only such areas share get chunks of their own and do not load with
 * every page. A root belongs to the area that has the longest beginning of its path. `everywhere`: a root of all areas; with
 * it, a beginning that no root has fails the build. `table`: the module that names all pages. It stays in the entry
 * with what imports it, so that a changed page changes the small file; the rest of the entry is packed better with
 * the common modules.
 */
export async function sharedChunks(options, areas, { everywhere, table } = {}) {
  const areasOf = (root) => (root === everywhere ? Object.keys(areas) : nearestAreas(areas, root));
  const { metafile } = await build({ ...options, metafile: true, write: false, minify: false });
  const { inputs } = metafile;
  const roots = rootsOf(inputs, Object.values(options.entryPoints));
  if (everywhere) checkAreas(roots, [everywhere, ...Object.values(areas).flat()]);
  const groups = groupsOf(inputs, roots, areasOf, { everywhere, table });
  return {
    name: 'sharedChunks',
    setup(plugin) {
      plugin.onResolve({ filter: /^shared-chunk:/ }, ({ path }) => ({ path, namespace: 'shared-chunk' }));
      plugin.onLoad({ filter: /.*/, namespace: 'shared-chunk' }, ({ path: name }) => ({
        contents: groups[name]
          .map((path) => `import ${JSON.stringify(resolve(options.absWorkingDir, path))};`)
          .join('\n'),
        resolveDir: options.absWorkingDir,
      }));
      for (const root of roots) {
        const path = resolve(options.absWorkingDir, root);
        const names = groupNamesOf(groups, areasOf(root));
        plugin.onLoad({ filter: new RegExp(`^${path.replace(/[\\/.]/g, '\\$&')}$`) }, async () => ({
          contents: [await readFile(path, 'utf8'), ...names.map((name) => `import '${name}';`)].join('\n'),
          loader: path.endsWith('x') ? 'tsx' : 'ts',
        }));
      }
    },
  };
}

/** The areas with the longest beginning of this path. */
function nearestAreas(areas, root) {
  const lengths = Object.entries(areas).map(([area, paths]) => {
    const fitting = paths.filter((path) => root.startsWith(path));
    return { area, length: Math.max(0, ...fitting.map((path) => path.length)) };
  });
  const longest = Math.max(0, ...lengths.map(({ length }) => length));
  return lengths.filter(({ length }) => length > 0 && length === longest).map(({ area }) => area);
}

/** Throws when a beginning of a path matches no root: after a move its modules would silently load with every page. */
function checkAreas(roots, paths) {
  const unused = paths.filter((path) => !roots.some((root) => root.startsWith(path)));
  if (unused.length > 0)
    throw new Error(`ssr/build/bundles.mjs: nothing is loaded from ${unused.join(', ')}`);
}

/** The groups a root imports: the common one, and those of its own areas. */
function groupNamesOf(groups, areas) {
  const isOwn = (name) => areas.some((area) => name.slice(PREFIX.length).split('+').includes(area));
  return Object.keys(groups).filter((name) => name === COMMON || isOwn(name));
}

/** Modules that start a download: the entries, and every target of a dynamic import. */
function rootsOf(inputs, entries) {
  const dynamic = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
  );
  return [...new Set([...entries, ...dynamic])].filter((path) => /\.tsx?$/.test(path));
}

/** Group name -> modules: those that pages outside the areas share or the entry loads, then those that areas share. */
function groupsOf(inputs, roots, areasOf, { everywhere, table }) {
  const loadedAtStart = reachable(inputs, roots[0]);
  const areaRoots = roots.filter((root) => areasOf(root).length > 0);
  const common = usageCounts(
    inputs,
    roots.filter((root) => areasOf(root).length === 0),
  );
  for (const path of loadedAtStart) if (!reachable(inputs, path).has(table)) common.set(path, 2);
  // Plugins' own modules have a colon in their path and cannot be imported from here.
  const isShared = (counts) => (path) => counts.get(path) > 1 && !path.includes(':');
  const groups = { [COMMON]: [...common.keys()].filter(isShared(common)) };
  const productRoots = areaRoots.filter((root) => root !== everywhere);
  const inAreas = usageCounts(inputs, productRoots);
  for (const path of [...inAreas.keys()].filter(isShared(inAreas))) {
    if (common.has(path)) continue;
    const users = productRoots.filter((root) => reachable(inputs, root).has(path));
    const name = PREFIX + [...new Set(users.flatMap(areasOf))].sort().join('+');
    groups[name] = [...(groups[name] ?? []), path];
  }
  return groups;
}

/** Module -> how many of these roots reach it. */
function usageCounts(inputs, roots) {
  const counts = new Map();
  for (const root of roots)
    for (const path of reachable(inputs, root)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

/** A module and everything it imports statically. */
function reachable(inputs, path, seen = new Set()) {
  if (seen.has(path) || !inputs[path]) return seen;
  seen.add(path);
  for (const { path: next, kind } of inputs[path].imports)
    if (kind === 'import-statement' || kind === 'require-call') reachable(inputs, next, seen);
  return seen;
}

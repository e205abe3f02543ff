/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { components as table } from '../tests/architecture/layers.json';
import { components as knownSmallFolders } from '../tests/architecture/small_folders.json';

const ROOT = join(__dirname, '..');
const FEATURES: readonly string[] = table.features;
const BETWEEN_FEATURES: Record<string, string[]> = table.between_features;
const BESIDE: Record<string, { above: string[]; below: string }> = table.beside;
const FILES: Record<string, string> = table.files;

type Source = { path: string; code: string };
type Graph = Map<string, Set<string>>;

function sources(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs|cjs)$/.test(name) && !name.startsWith(`dist${sep}`))
    .map((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8');
      return { path: `${folder}/${name.split(sep).join('/')}`, code: withoutComments(text) };
    });
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** Fixtures that fill a browser or render for tests count as tests; the samples are shown by the component page. */
const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path) || /\/fixtures\/.*\.tsx$/.test(path);
const ALL = [...sources('components'), ...sources('ssr')];
const COMPONENTS = ALL.filter((source) => source.path.startsWith('components/') && !isTest(source));
const PATHS = new Set(ALL.map(({ path }) => path));

/** Paths of the modules that a file imports, also lazily and for types alone; data and style sheets are left out. */
function imports({ path, code }: Source): string[] {
  const targets = [...code.matchAll(/(?:from|import\(|import)\s*'(\.[^']*)'/g)].map(
    (match) => match[1] ?? '',
  );
  return targets.flatMap((target) => {
    const base = join(dirname(path), target).split(sep).join('/');
    return ['.ts', '.tsx', '.d.ts'].map((ending) => base + ending).filter((file) => PATHS.has(file));
  });
}

/** The layer of a file of components/; a feature is a layer of its own among the features. */
function layerOf(path: string): string {
  const inside = path.replace(/^components\//, '');
  return FILES[inside] ?? inside.split('/')[0] ?? '';
}

const rankOf = (layer: string) => table.order.indexOf(FEATURES.includes(layer) ? 'features' : layer);

function mayImport(from: string, to: string): boolean {
  if (from === to) return true;
  const besideFrom = BESIDE[from];
  const besideTo = BESIDE[to];
  if (besideTo) return besideTo.above.includes(from);
  if (FEATURES.includes(from) && FEATURES.includes(to)) return BETWEEN_FEATURES[from]?.includes(to) ?? false;
  if (besideFrom) return rankOf(to) >= rankOf(besideFrom.below);
  return rankOf(from) < rankOf(to);
}

/** Groups of nodes that reach each other: the cycles of a graph. */
function cyclesOf(graph: Graph): string[][] {
  const reach = (start: string) => {
    const seen = new Set<string>();
    const open = [...(graph.get(start) ?? [])];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      open.push(...(graph.get(node) ?? []));
    }
    return seen;
  };
  const reached = new Map([...graph.keys()].map((node) => [node, reach(node)]));
  const inCycle = [...graph.keys()].filter((node) => reached.get(node)?.has(node));
  const groups = inCycle.map((node) =>
    inCycle.filter((other) => reached.get(node)?.has(other) && reached.get(other)?.has(node)),
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function graphOf(files: Source[], nodeOf: (path: string) => string): Graph {
  const graph: Graph = new Map();
  for (const file of files) {
    const node = nodeOf(file.path);
    const targets = graph.get(node) ?? new Set<string>();
    for (const target of imports(file).map(nodeOf)) if (target !== node) targets.add(target);
    graph.set(node, targets);
  }
  return graph;
}

function offenders(pattern: RegExp, among: Source[] = COMPONENTS): string[] {
  return among.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
}

test('the source files are found', () => {
  expect(COMPONENTS.length).toBeGreaterThan(50);
});

test('every file belongs to a layer of the table', () => {
  const known = [...table.order, ...FEATURES, ...Object.keys(BESIDE), 'architecture.test.ts', 'assets.d.ts'];
  expect(COMPONENTS.map(({ path }) => path).filter((path) => !known.includes(layerOf(path)))).toEqual([]);
});

test('a layer imports only what the table puts below it', () => {
  const wrong = COMPONENTS.flatMap((source) =>
    imports(source)
      .filter((target) => !mayImport(layerOf(source.path), layerOf(target)))
      .map((target) => `${source.path} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('the render worker imports the tree and its routes alone', () => {
  const wrong = ALL.filter((source) => source.path.startsWith('ssr/') && !isTest(source)).flatMap((source) =>
    imports(source)
      .filter((target) => target.startsWith('components/') && !table.ssr.includes(layerOf(target)))
      .map((target) => `${source.path} -> ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('the layer test sees what is forbidden', () => {
  expect(mayImport('cart', 'wishlist')).toBe(false);
  expect(mayImport('wishlist', 'cart')).toBe(true);
  expect(mayImport('browser', 'api')).toBe(false);
  expect(mayImport('cart', 'useAccountSync')).toBe(false);
  expect(mayImport('catalogue', 'fixtures')).toBe(false);
  const graph: Graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
  ]);
  expect(cyclesOf(graph)).toEqual([['b', 'c']]);
});

test('no file imports itself by way of others', () => {
  expect(cyclesOf(graphOf(COMPONENTS, (path) => path))).toEqual([]);
});

test('no folder imports itself by way of others', () => {
  // A file at the top, or one that the table places elsewhere, is a node of its own.
  const folderOf = (path: string) =>
    dirname(path) === 'components' || FILES[path.replace(/^components\//, '')] ? path : dirname(path);
  expect(cyclesOf(graphOf(COMPONENTS, folderOf))).toEqual([]);
});

test('a folder holds no more source files than the table allows: move those of one noun to a folder', () => {
  const counts = new Map<string, number>();
  for (const { path } of ALL.filter(({ path }) => !/\.test\.tsx?$/.test(path)))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  const larger: readonly string[] = table.larger_folders;
  const tooLarge = [...counts].filter(
    ([folder, count]) => count > table.files_in_a_folder && !larger.includes(folder),
  );
  expect(tooLarge).toEqual([]);
});

/** Folders inside components/ or ssr/ that hold, with their own folders, fewer files than they should. */
function smallFolders(paths: string[], least: number): string[] {
  const counts = new Map<string, number>();
  for (const path of paths)
    for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) => (count < least ? [folder] : [])).sort();
}

test('a folder holds no fewer files than the table asks for, but for those of small_folders.json, a list that only becomes shorter', () => {
  const paths = ALL.map(({ path }) => path).filter((path) => !/\.test\.tsx?$/.test(path));
  expect(smallFolders(paths, table.least_files_in_a_folder)).toEqual(knownSmallFolders);
});

test('a small folder is found, and one that only holds folders is not', () => {
  const paths = [
    'components/cart/a.ts',
    'components/ui/a/a.ts',
    'components/ui/b/a.ts',
    'components/App.tsx',
  ];
  expect(smallFolders(paths, 2)).toEqual(['components/cart', 'components/ui/a', 'components/ui/b']);
});

test('only components/browser uses what only a browser has', () => {
  const outside = COMPONENTS.filter(({ path }) => layerOf(path) !== 'browser');
  const withoutTexts = outside.map((source) => ({
    ...source,
    code: source.code.replace(/'[^'\n]*'/g, "''"),
  }));
  expect(
    offenders(/\b(?:window|document|localStorage|sessionStorage|navigator|cookie)\b/, withoutTexts),
  ).toEqual([]);
});

test('every dynamic import outside the tables of pages is awaited through the guard for lost chunks', () => {
  // start.tsx loads the reporter of errors: a reload would hide the error. builds.ts only asks for a newer build.
  const unguarded = ['routes.tsx', 'areaRoutes.tsx', 'start.tsx', 'api/builds.ts'].map(
    (name) => `components/${name}`,
  );
  const others = COMPONENTS.filter(({ path }) => !unguarded.includes(path));
  const importing = others.filter(({ code }) => /(?<!typeof )\bimport\(/.test(code));
  expect(importing.length).toBeGreaterThan(5);
  expect(
    importing.filter(({ code }) => !/(?:loadOrReload|lazyComponent)\(/.test(code)).map(({ path }) => path),
  ).toEqual([]);
});

test('wire names stay in components/api, components/browser and the generated types', () => {
  const others = ALL.filter(
    (source) => !isTest(source) && !['api', 'browser', 'contracts'].includes(layerOf(source.path)),
  );
  const names =
    /\b(?:AAUserID|Stunum|SpecialCouponID|CouponID|LoginEmail|EventID|SessionID|checkflag|DiscountPrice|orderDiscount\w*|orderQuantity|couponInfo|cart_products|userInfo)\b/;
  expect(offenders(names, others)).toEqual([]);
});

test('names of cookies and storage entries are in one file', () => {
  const names =
    /['"`](?:userInfo|IsRestrictedAccess|email_address|specialcoupon\w+|domainLogo|couponInfo|cart_products|session_id|saved_for_later|wishlist_products)['"`]/;
  expect(offenders(names)).toEqual(['components/browser/storage/storageKeys.ts']);
});

test('only components/api fetches', () => {
  const paths = offenders(/\bfetch\(|XMLHttpRequest|sendBeacon/);
  expect(paths).toContain('components/api/client.ts');
  expect(paths.filter((path) => !path.startsWith('components/api/'))).toEqual([]);
});

test('HTML as text is inserted in one component, and that of mails in one that keeps it apart from the page', () => {
  expect(offenders(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/)).toEqual([
    'components/ui/RichText.tsx',
    'components/admin/previews/MailPreviews.tsx',
  ]);
});

test('no style attribute: the content security policy refuses them', () => {
  expect(offenders(/\bstyle=/)).toEqual([]);
});

test('toasts are loaded with the first toast', () => {
  const own = ['components/ui/toasts/Toaster.tsx', 'components/ui/toasts/UndoToast.tsx'];
  expect(offenders(/'react-toastify/)).toEqual(own);
  const others = COMPONENTS.filter(({ path }) => !own.includes(path));
  expect(offenders(/import \{[^}]*\} from '[^']*\/(?:Toaster|UndoToast)'/, others)).toEqual([]);
});

test('React server functions are not used', () => {
  expect(
    offenders(
      /react-server-dom|'use server'/,
      ALL.filter((source) => !isTest(source)),
    ),
  ).toEqual([]);
  expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('react-server-dom');
});

test('everything is exported by name', () => {
  // Build scripts write modules as text; Biome checks their own exports.
  const own = ALL.filter(({ path }) => path !== 'components/assets.d.ts' && !path.endsWith('.mjs'));
  expect(offenders(/^export default\b|^export \{[^}]*\bas default\b/m, own)).toEqual([]);
});

test('files are named for what they hold', () => {
  const named = ALL.map(({ path }) => path).filter((path) => /^(?:index|utils?)\./.test(basename(path)));
  expect(named).toEqual([]);
});

/** @jest-environment node */
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import type { BuildResult, Metafile, Plugin } from 'esbuild';
// @ts-expect-error: the build is plain JavaScript
import { AREAS, buildAreas, buildShop, readRoutes, SHOP } from './bundles.mjs';
// @ts-expect-error: the build is plain JavaScript
import { checkBudgets, checkPageBudgets, filesOfPages } from './manifest.mjs';

const ROOT = process.cwd();
const TABLE = readRoutes(ROOT);
const ROW = { id: 'admin-table', area: 'admin', path: '/admin/table', title: 'Table', served: true };
const WITH_ROW = { ...TABLE, area_pages: [ROW] };

/** Adds a page to a table of pages: components/fixtures/AdminTablePage.tsx. */
function addPage(table: string): Plugin {
  return {
    name: 'addPage',
    setup(plugin) {
      plugin.onLoad({ filter: new RegExp(`/components/${table}$`) }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const entry = "PageTable = { 'admin-table': page(() => import('./fixtures/AdminTablePage')),";
        return { contents: text.replace('PageTable = {', entry), loader: 'tsx' };
      });
    },
  };
}

const shopWith = (more: Plugin[]): Promise<BuildResult> => buildShop(ROOT, more);
const filesOfShop = ({ metafile }: BuildResult): string[] => filesOfPages(metafile, SHOP, ['shop']).shop;

let shop: BuildResult;
let areas: BuildResult;

beforeAll(async () => {
  shop = await shopWith([]);
  areas = await buildAreas(ROOT, TABLE.areas, [addPage('areaRoutes.tsx')]);
});

const filesOfAreas = () => filesOfPages(areas.metafile, AREAS, ['admin-table', 'area-error']);
const outputsOf = ({ outputFiles = [] }: BuildResult) =>
  new Map(outputFiles.map(({ path, contents }) => [path.slice(ROOT.length), contents]));

function sizeOf(contents: Uint8Array): number {
  return brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
}

// The names hold a hash of the content.
test('an area page leaves the files of /shop as they are; in the table of the shop it would change them', async () => {
  const files = filesOfShop(shop);
  expect(filesOfShop(await shopWith([addPage('areaRoutes.tsx')]))).toEqual(files);
  expect(filesOfShop(await shopWith([addPage('routes.tsx')]))).not.toEqual(files);
});

test('what another page alone loads changes no file of /shop but the small entry, which names its files', async () => {
  const files = filesOfShop(shop);
  const change: Plugin = {
    name: 'change',
    setup(plugin) {
      plugin.onLoad({ filter: /\/components\/content\/ContactSent\.tsx$/ }, async ({ path }) => ({
        contents: `${await readFile(path, 'utf8')} document.title = 'changed';`,
        loader: 'tsx',
      }));
    },
  };
  const changed = filesOfShop(await shopWith([change])).filter((file) => !files.includes(file));
  expect(changed).toEqual([expect.stringMatching(/client-\w+\.js$/)]);
});

test('a page of an area is held to the budget of its area', () => {
  const files = filesOfAreas();
  const outputs = outputsOf(areas);
  const size = (file: string) => sizeOf(outputs.get(file) as Uint8Array);
  const bytes = files['admin-table'].reduce((sum: number, file: string) => sum + size(file), 0);
  const withBudget = (javascript_budget: number) => ({
    ...WITH_ROW,
    areas: TABLE.areas.map((area: object) => ({ ...area, javascript_budget })),
  });
  expect(bytes).toBeGreaterThan(50_000);
  expect(() => checkBudgets(WITH_ROW, files, size)).not.toThrow();
  expect(() => checkBudgets(withBudget(bytes), files, size)).not.toThrow();
  expect(() => checkBudgets(withBudget(bytes - 1), files, size)).toThrow(
    `admin-table loads ${bytes} bytes of JavaScript; the area admin allows ${bytes - 1}`,
  );
});

test('no area allows its pages more than 112 KB, and none loads toasts at first', () => {
  const budgets = TABLE.areas.map(
    ({ javascript_budget }: { javascript_budget: number }) => javascript_budget,
  );
  expect(Math.max(...budgets)).toBeLessThanOrEqual(112 * 1024);
  const { outputs } = areas.metafile as Metafile;
  const served = TABLE.area_pages.filter((row: { served: boolean }) => row.served);
  const files = filesOfPages(
    areas.metafile,
    AREAS,
    served.map((row: { id: string }) => row.id),
  );
  const loaded = new Set<string>(Object.values<string[]>(files).flat());
  const withToasts = Object.keys(outputs).filter((file) =>
    Object.keys(outputs[file]?.inputs ?? {}).some((source) =>
      source.startsWith('node_modules/react-toastify/'),
    ),
  );
  expect(withToasts).toHaveLength(1);
  expect(withToasts.filter((file) => loaded.has(`/${file}`))).toEqual([]);
});

test('a page of the shop is held to the budget of its row', () => {
  const files = { light: ['a'], heavy: ['a', 'b'], unlimited: ['c'] };
  const size = (file: string) => ({ a: 40, b: 50, c: 900 })[file] as number;
  const row = (id: string, javascript_budget?: number) => ({ id, served: true, javascript_budget });
  const rows = (budget: number) => ({ pages: [row('light', 40), row('heavy', budget), row('unlimited')] });
  expect(() => checkPageBudgets(rows(90), files, size)).not.toThrow();
  expect(() => checkPageBudgets(rows(89), files, size)).toThrow(
    'heavy loads 90 bytes of JavaScript; its row allows 89',
  );
});

test('the first form of a sign-in loads none of the steps that may follow it', () => {
  const { outputs } = shop.metafile as Metafile;
  const steps = (id: string) =>
    filesOfPages(shop.metafile, SHOP, [id])
      [id].flatMap((file: string) => Object.keys(outputs[file.slice(1)]?.inputs ?? {}))
      .filter((source: string) => /^components\/identity\/(?:steps|flow\/stepTexts)/.test(source));
  expect(steps('verify')).not.toEqual([]);
  for (const id of ['login', 'admin-login', 'organization-login']) expect(steps(id)).toEqual([]);
});

test('no chunk of an area is a file of the shop', () => {
  const outputs = outputsOf(shop);
  expect(filesOfAreas()['admin-table'].filter((file: string) => outputs.has(file))).toEqual([]);
});

test('a served page of an area without a component fails the build', () => {
  expect(() => filesOfPages(areas.metafile, AREAS, ['area-error', 'admin-other'])).toThrow(
    'components/areaRoutes.tsx imports no file named after: admin-other',
  );
});

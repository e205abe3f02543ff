// The two bundles of the browser: one of the shop, one of the areas. They share no file, so whatever an area page
// imports, the files of the shop stay the same. The browser goes from one to the other by loading a document.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { browserFloor, buildTarget } from './browsers.mjs';
import { sharedChunks } from './chunks.mjs';
import { leanRouter, pageRows, textStyles } from './plugins.mjs';

/** Options of every build, also of the render worker's. */
export function commonOptions(root) {
  return {
    absWorkingDir: root,
    bundle: true,
    jsx: 'automatic',
    logLevel: 'warning',
    // chunks.mjs imports modules only to put them in a chunk; esbuild would warn of those without side effects.
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [textStyles, pageRows, leanRouter],
  };
}

function browserOptions(root, entryPoints) {
  return {
    ...commonOptions(root),
    entryPoints,
    outdir: join(root, 'static/dist'),
    format: 'esm',
    splitting: true,
    metafile: true,
    minify: true,
    target: buildTarget(browserFloor(root)),
    entryNames: '[name]-[hash]',
    chunkNames: 'c/[name]-[hash]',
    assetNames: 'f/[name]-[hash]',
    legalComments: 'linked',
    loader: { '.woff2': 'file' },
    external: ['/static/*'],
    define: { 'process.env.NODE_ENV': '"production"', __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' },
  };
}

// Pages of every part load it later: with the first toast, or after the first view.
const TOASTS = { toasts: ['components/ui/toasts/'] };

/**
 * Parts of the shop whose code lists and content pages do not need: the cart and the wishlist, the sign-in screens, the
 * account, the checkout, the written pages, toasts, the pages of one course or shop item.
 */
export const SHOP_GROUPS = {
  cart: ['components/pages/cart/', 'components/cart/', 'components/wishlist/', 'components/accountSync.ts'],
  checkout: ['components/pages/checkout/'],
  identity: ['components/pages/identity/', 'components/identity/'],
  // The first form of a sign-in; the steps that may follow it are of the group above.
  'sign-in': ['Login', 'AdminLogin', 'OrganizationLogin'].map(
    (name) => `components/pages/identity/${name}Page.tsx`,
  ),
  account: ['components/pages/account/', 'components/account/'],
  content: ['components/pages/content/'],
  orders: ['components/pages/orders/'],
  learning: ['components/pages/learning/'],
  // What of it loads later, and no page with it.
  'learning-parts': ['components/learning/'],
  ...TOASTS,
  product: [
    'components/pages/catalogue/CourseDetailsPage.tsx',
    'components/pages/catalogue/ShopDetailsPage.tsx',
  ],
};
// Served in development only. It imports components of every part.
export const STYLEGUIDE = 'components/styleguide/StyleguidePage.tsx';

// Pages of the area for staff in folders of their own, by what they share: it loads with no page of another area.
const STAFF_GROUPS = {
  coupons: ['components/pages/coupons/'],
  publishing: ['bulk', 'entries', 'items', 'publishing'].map((name) => `components/pages/${name}/`),
};

export const SHOP = { entry: 'components/client.tsx', routes: 'components/routes.tsx' };
export const AREAS = { entry: 'components/areaClient.tsx', routes: 'components/areaRoutes.tsx' };

/** esbuild's result for the public pages: metafile and files, not written. `more`: plugins that come first. */
export async function buildShop(root, more = []) {
  const sheets = {
    main: 'static/css/main.css',
    'no-script': 'static/css/no-script.css',
    learning: 'static/css/learning.css',
  };
  const options = browserOptions(root, { client: SHOP.entry, ...sheets });
  return buildBundle(options, more, SHOP_GROUPS, { everywhere: STYLEGUIDE, table: SHOP.routes });
}

/** esbuild's result for the pages of areas. Those of one area share the chunk group that its row names. */
export async function buildAreas(root, areas, more = []) {
  const options = browserOptions(root, {
    'area-client': AREAS.entry,
    areas: 'static/css/areas.css',
    certificates: 'static/css/certificates.css',
  });
  const groups = areas.map(({ chunks }) => [
    chunks,
    [`components/pages/${chunks}/`, `components/${chunks}/`],
  ]);
  const all = { ...Object.fromEntries(groups), ...STAFF_GROUPS, ...TOASTS };
  return buildBundle(options, more, all, { table: AREAS.routes });
}

async function buildBundle(options, more, groups, modules) {
  const all = { ...options, plugins: [...more, ...options.plugins] };
  const plugins = [await sharedChunks(all, groups, modules), ...all.plugins];
  return build({ ...all, plugins, write: false });
}

export function readRoutes(root) {
  return JSON.parse(readFileSync(resolve(root, 'contracts/routes.json'), 'utf8'));
}

// esbuild plugins: style sheets as text, and the table of pages and React Router without what browsers do not use.
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';

/** `import text from './x.css?text'` gives a style sheet as a string. */
export const textStyles = {
  name: 'textStyles',
  setup(plugin) {
    plugin.onResolve({ filter: /\.css\?text$/ }, async ({ path, resolveDir }) => {
      const resolved = await plugin.resolve(path.slice(0, -'?text'.length), {
        resolveDir,
        kind: 'import-statement',
      });
      return resolved.errors.length > 0 ? resolved : { path: resolved.path, namespace: 'text-styles' };
    });
    plugin.onLoad({ filter: /.*/, namespace: 'text-styles' }, async ({ path }) => {
      const result = await build({ entryPoints: [path], bundle: true, minify: true, write: false });
      return { contents: result.outputFiles[0].text, loader: 'text' };
    });
  },
};

/**
 * Loads contracts/routes.json with the served pages and the columns of components/model/pageRows.ts. Columns with their
 * usual value are left out, for size. `routes.json?areas` gives the served pages of areas alone, for their own bundle.
 */
export const pageRows = {
  name: 'pageRows',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]contracts[\\/]routes\.json$/ }, async ({ path, suffix }) => {
      const { pages, own_pages, area_pages } = JSON.parse(await readFile(path, 'utf8'));
      const isServed = ({ served }) => served;
      const rows =
        suffix === '?areas'
          ? { area_pages: area_pages.filter(isServed).map(({ id, path }) => ({ id, path })) }
          : {
              pages: pages.filter(isServed).map(browserRow),
              own_pages: own_pages.filter(isServed).map(browserRow),
            };
      return { contents: JSON.stringify(rows), loader: 'json' };
    });
  },
};

function browserRow({ id, path, layout, server_rendered }) {
  return {
    id,
    ...(path !== `/${id}` && { path }),
    ...(layout !== 'default' && { layout }),
    ...(server_rendered && { server_rendered }),
  };
}

// Each matches one line of the package's published files. If a new version writes them differently, only the bundle
// grows, and tests/journeys/test_budget.py fails.
const DISPLAY_NAME = /^\w+\.displayName = .+;$/gm;
const CREATED_ON_IMPORT = /^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm;

/**
 * Replaces React Router's development build, which its package resolves to whatever NODE_ENV says, and marks the
 * statements that name and create its components as free of side effects. esbuild then leaves out what declarative
 * mode does not use: 28 KB less for every visitor, 8.3 KB compressed.
 */
export const leanRouter = {
  name: 'leanRouter',
  setup(plugin) {
    plugin.onLoad(
      { filter: /[\\/]react-router[\\/]dist[\\/]development[\\/]index\.mjs$/ },
      async ({ path }) => {
        const production = path.replace('development', 'production');
        return { contents: `export * from ${JSON.stringify(production)};`, loader: 'js' };
      },
    );
    plugin.onLoad({ filter: /[\\/]react-router[\\/]dist[\\/]production[\\/].+\.mjs$/ }, async ({ path }) => {
      const text = (await readFile(path, 'utf8'))
        .replace(DISPLAY_NAME, '')
        .replace(CREATED_ON_IMPORT, '$1/* @__PURE__ */ $2');
      return { contents: text, loader: 'js' };
    });
  },
};

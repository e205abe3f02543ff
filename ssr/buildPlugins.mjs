// What the build changes on its way through a file: style sheets as text, and what the browser never uses left out.
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';

/** `import text from './x.css?text'` gives a style sheet as a string. */
export const textStyles = {
  name: 'textStyles',
  setup(plugin) {
    plugin.onResolve({ filter: /\.css\?text$/ }, async ({ path, resolveDir }) => {
      const found = await plugin.resolve(path.slice(0, -'?text'.length), {
        resolveDir,
        kind: 'import-statement',
      });
      return found.errors.length > 0 ? found : { path: found.path, namespace: 'text-styles' };
    });
    plugin.onLoad({ filter: /.*/, namespace: 'text-styles' }, async ({ path }) => {
      const made = await build({ entryPoints: [path], bundle: true, minify: true, write: false });
      return { contents: made.outputFiles[0].text, loader: 'text' };
    });
  },
};

// One line each in the package's own output; a version that writes them otherwise only makes the bundle larger, and the
// budget test says so.
const NAMED_FOR_TOOLS = /^\w+\.displayName = .+;$/gm;
const MADE_AT_ONCE = /^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm;

/**
 * React Router's package resolves to its development build whatever NODE_ENV says, and names and wraps its components
 * in statements that hold all of them in the bundle. The production build with those statements marked as free of side
 * effects leaves what declarative mode needs: 28 KB less for every visitor.
 */
export const leanRouter = {
  name: 'leanRouter',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]react-router[\\/]dist[\\/]development[\\/]index\.mjs$/ }, async ({ path }) => {
      const production = path.replace('development', 'production');
      return { contents: `export * from ${JSON.stringify(production)};`, loader: 'js' };
    });
    plugin.onLoad({ filter: /[\\/]react-router[\\/]dist[\\/]production[\\/].+\.mjs$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(NAMED_FOR_TOOLS, '').replace(MADE_AT_ONCE, '$1/* @__PURE__ */ $2'), loader: 'js' };
    });
  },
};

/** Of the table of pages the tree reads ids and layouts; titles and descriptions are the host's. */
export const leanRoutes = {
  name: 'leanRoutes',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]routes\.json$/ }, async ({ path }) => {
      const { pages } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ pages: pages.map(({ id, layout }) => ({ id, layout })) }), loader: 'json' };
    });
  },
};

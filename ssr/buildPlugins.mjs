// What the build changes on its way through a file: style sheets as text, and what the browser never uses left out.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const require = createRequire(import.meta.url);

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
// Looked up by a name in a variable, it would keep everything React exports.
const LOOKED_UP = /(React\d*)\[USE_OPTIMISTIC\]/g;
const MADE_AT_ONCE = /^(var \w+ = )(React\d*\.(?:createContext|forwardRef|memo)\()/gm;

/**
 * React Router's package resolves to its development build whatever NODE_ENV says, and names and wraps its components
 * in statements that hold all of them in the bundle. The production build with those statements marked as free of side
 * effects leaves what declarative mode needs: 28 KB less for every visitor.
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
        .replace(NAMED_FOR_TOOLS, '')
        .replace(MADE_AT_ONCE, '$1/* @__PURE__ */ $2')
        .replace(LOOKED_UP, '$1.useOptimistic');
      return { contents: text, loader: 'js' };
    });
  },
};

const REACT = {
  react: ['react', 'react.production.js'],
  'react/jsx-runtime': ['react', 'react-jsx-runtime.production.js'],
  'react-dom': ['react-dom', 'react-dom.production.js'],
  'react-dom/client': ['react-dom', 'react-dom-client.production.js'],
  scheduler: ['scheduler', 'scheduler.production.js'],
};
const REQUIRES = /^var ((?:\s*\w+ = require\("[\w-]+"\),?)+);$/m;
const EXPORTED = /\bexports\.(\w+)/g;

/**
 * React comes as CommonJS, each file one large function that the browser compiles a second time, on the main thread,
 * when it is called. As modules their functions stand on their own: compiled when first used, left out when unused.
 */
export const plainReact = {
  name: 'plainReact',
  setup(plugin) {
    plugin.onResolve({ filter: /^(?:react|react-dom|scheduler)(?:\/[\w-]+)?$/ }, ({ path }) => {
      const [folder, file] = REACT[path] ?? [];
      return file && { path: join(dirname(require.resolve(`${folder}/package.json`)), 'cjs', file) };
    });
    plugin.onLoad({ filter: /[\\/]cjs[\\/](?:react|scheduler)[\w-]*\.production\.js$/ }, async ({ path }) => {
      return { contents: asModule(await readFile(path, 'utf8'), path), loader: 'js' };
    });
  },
};

function asModule(text, path) {
  const imports = [];
  const names = new Set([...text.matchAll(EXPORTED)].map((found) => found[1]));
  const body = text
    .replace(REQUIRES, (_, list) => {
      for (const [, name, from] of list.matchAll(/(\w+) = require\("([\w-]+)"\)/g))
        imports.push(`import * as ${name} from "${from}";\n`);
      return '';
    })
    .replace(/^exports\.(\w+) =/gm, 'var exported_$1 =')
    .replace(EXPORTED, 'exported_$1');
  if (/\brequire\(|\bmodule\.exports|\bexports\b/.test(body))
    throw new Error(`${path} is written in a new way`);
  const list = [...names];
  return `${imports.join('')}${body}
export { ${list.map((name) => `exported_${name} as ${name}`).join(', ')} };
export default { ${list.map((name) => `${name}: exported_${name}`).join(', ')} };`;
}

const drawn = ({ id, layout, server_rendered, served }) => ({ id, layout, server_rendered, served });

/** Of the table of pages the tree reads what a page is and how it is drawn; titles are the host's. */
export const leanRoutes = {
  name: 'leanRoutes',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]routes\.json$/ }, async ({ path }) => {
      const { pages } = JSON.parse(await readFile(path, 'utf8'));
      return {
        contents: JSON.stringify({ pages: pages.map(drawn) }),
        loader: 'json',
      };
    });
  },
};

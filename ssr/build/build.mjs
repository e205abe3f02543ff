// Builds the browser's modules, the style sheets and the render worker. Nothing is done when no source has changed.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { leanRouter, leanRoutes, plainReact, textStyles } from './buildPlugins.mjs';
import { together } from './buildShared.mjs';
import { tidyMarkup } from './tidyMarkup.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const DIST = join(ROOT, 'static/dist');
const IMAGES = join(ROOT, 'static/images');
const SERVER = join(ROOT, 'ssr/dist/server.cjs');
const PUBLIC = '/static/dist/';
const KEEP_MS = 14 * 24 * 3600 * 1000;

/** Pages opened before a deploy still ask for the files of their build: old ones stay for two weeks. */
function sweep(current) {
  for (const path of files(DIST)) {
    const name = relative(DIST, path);
    if (!current.has(name.replace(/\.(br|gz)$/, '')) && Date.now() - statSync(path).mtimeMs > KEEP_MS)
      rmSync(path);
  }
}

function files(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Fingerprint of everything the build reads. */
function fingerprint() {
  const hash = createHash('sha256');
  const sources = [
    ...files(join(ROOT, 'components')),
    ...files(join(ROOT, 'ssr')).filter((path) => !path.includes('/dist/')),
    ...files(join(ROOT, 'static/css')),
    ...files(IMAGES).filter((path) => path.endsWith('.svg')),
    ...['routes.json', 'host/identity/texts.json', 'package-lock.json', 'tsconfig.json'].map((name) =>
      join(ROOT, name),
    ),
  ].filter((path) => !/\.test\.tsx?$/.test(path));
  for (const path of sources) hash.update(relative(ROOT, path)).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

const shared = {
  absWorkingDir: ROOT,
  bundle: true,
  jsx: 'automatic',
  logLevel: 'warning',
  // What is imported to share a chunk may be free of side effects, and then comes by whoever uses it.
  logOverride: { 'ignored-bare-import': 'silent' },
  plugins: [textStyles, leanRouter, leanRoutes],
};

const client = {
  ...shared,
  entryPoints: { client: 'components/client.tsx', main: 'static/css/main.css' },
  outdir: DIST,
  format: 'esm',
  splitting: true,
  metafile: true,
  minify: true,
  target: 'es2022',
  entryNames: '[name]-[hash]',
  chunkNames: 'c/[name]-[hash]',
  assetNames: 'f/[name]-[hash]',
  legalComments: 'linked',
  loader: { '.woff2': 'file' },
  external: ['/static/*'],
  plugins: [...shared.plugins, plainReact],
  define: { 'process.env.NODE_ENV': '"production"' },
};

function worker(id) {
  return {
    ...shared,
    entryPoints: ['ssr/server.ts'],
    outfile: SERVER,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    plugins: [...shared.plugins, tidyMarkup],
    define: { 'process.env.NODE_ENV': '"production"', BUILD_ID: JSON.stringify(id) },
  };
}

/** The chunk a page lives in, its static imports and theirs: what the browser needs to draw it. */
function closure(outputs, file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const one of outputs[file].imports)
    if (one.kind === 'import-statement') closure(outputs, one.path, seen);
  return seen;
}

const address = (file) => PUBLIC + relative('static/dist', file);

function manifest(outputs, id) {
  const entryOf = (source) => Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
  const entry = entryOf('components/client.tsx');
  const css = Object.keys(outputs).filter((file) => outputs[file].entryPoint === 'static/css/main.css');
  const shell = closure(outputs, entry);
  const pages = {};
  for (const name of readFileSync(join(ROOT, 'components/routes.tsx'), 'utf8').matchAll(
    /^ {2}'?([a-z-]+)'?: page\(\(\) =>\s+import\('\.\/(pages\/\w+)'\)/gm,
  )) {
    const own = closure(outputs, entryOf(`components/${name[2]}.tsx`));
    pages[name[1]] = [...new Set([...shell, ...own])].map(address);
  }
  return {
    build: id,
    entry: address(entry),
    css: css.map(address),
    fonts: firstFonts(outputs),
    preload: pages,
  };
}

/** The faces every first view needs; latin-ext comes when a page has such a letter. */
function firstFonts(outputs) {
  return Object.keys(outputs)
    .filter((file) => /-latin-wght-normal-\w+\.woff2$/.test(file))
    .map(address);
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

/** Drawings are sent as they are asked for, beside their packed forms. */
function compressDrawings() {
  for (const path of files(IMAGES).filter((name) => name.endsWith('.svg'))) {
    for (const packed of ['.br', '.gz']) rmSync(path + packed, { force: true });
    compress(path);
  }
}

/** Fonts are compressed already. */
const isText = (name) => !name.endsWith('.woff2');

function compress(path) {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  if (!existsSync(`${path}.br`)) write(`${path}.br`, brotliCompressSync(bytes, { params }));
  if (!existsSync(`${path}.gz`)) write(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

function isUpToDate(id) {
  try {
    return JSON.parse(readFileSync(join(DIST, 'assets.json'), 'utf8')).build === id && existsSync(SERVER);
  } catch {
    return false;
  }
}

async function buildClient() {
  const plugins = [await together(client), ...client.plugins];
  return (await build({ ...client, plugins })).metafile;
}

async function main() {
  const id = fingerprint();
  if (isUpToDate(id)) return;
  const began = performance.now();
  const [metafile] = await Promise.all([buildClient(), build(worker(id))]);
  const { outputs } = metafile;
  const made = manifest(outputs, id);
  const names = Object.keys(outputs).map((file) => relative('static/dist', file));
  for (const name of names.filter(isText)) compress(join(DIST, name));
  compressDrawings();
  write(join(DIST, `build-${id}.json`), JSON.stringify({ build: id, pages: made.preload }));
  write(join(DIST, 'assets.json'), JSON.stringify(made));
  write(join(DIST, 'latest-build.json'), JSON.stringify({ build: id }));
  sweep(new Set([...names, `build-${id}.json`, 'assets.json', 'latest-build.json']));
  process.stderr.write(`built ${id}: ${names.length} files in ${Math.round(performance.now() - began)} ms\n`);
}

await main();

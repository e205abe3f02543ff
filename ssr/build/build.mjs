// Builds the browser's modules, the style sheets and the render worker. Does nothing when no source has changed.
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
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { browserFloor, buildTarget } from './browsers.mjs';
import { sharedChunks } from './chunks.mjs';
import { leanRouter, pageRows, textStyles } from './plugins.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const DIST = join(ROOT, 'static/dist');
const IMAGES = join(ROOT, 'static/images');
const SERVER = join(ROOT, 'ssr/dist/server.cjs');
const ROUTES = 'components/routes.tsx';
const PUBLIC = '/static/dist/';
const KEEP_MS = 14 * 24 * 3600 * 1000;

/** Removes files of builds older than two weeks. Pages opened before a deploy still load the files of their build. */
function removeOldFiles(current) {
  for (const path of files(DIST)) {
    const name = relative(DIST, path);
    const isOld = Date.now() - statSync(path).mtimeMs > KEEP_MS;
    if (isOld && !current.has(name.replace(/\.(br|gz)$/, ''))) rmSync(path);
  }
}

function files(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** A hash of everything the build reads. */
function fingerprint() {
  const hash = createHash('sha256');
  const sources = [
    ...files(join(ROOT, 'components')),
    ...files(join(ROOT, 'ssr')).filter((path) => !path.includes('/dist/')),
    ...files(join(ROOT, 'static/css')),
    ...files(IMAGES).filter((path) => path.endsWith('.svg')),
    ...[
      'contracts/routes.json',
      'contracts/sign_in_errors.json',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ].map((name) => join(ROOT, name)),
  ].filter((path) => !/\.test\.tsx?$/.test(path));
  for (const path of sources) hash.update(relative(ROOT, path)).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

const shared = {
  absWorkingDir: ROOT,
  bundle: true,
  jsx: 'automatic',
  logLevel: 'warning',
  // chunks.mjs imports modules only to put them in a chunk; esbuild would warn of those without side effects.
  logOverride: { 'ignored-bare-import': 'silent' },
  plugins: [textStyles, pageRows, leanRouter],
};

const client = {
  ...shared,
  entryPoints: { client: 'components/client.tsx', main: 'static/css/main.css' },
  outdir: DIST,
  format: 'esm',
  splitting: true,
  metafile: true,
  minify: true,
  target: buildTarget(browserFloor(ROOT)),
  entryNames: '[name]-[hash]',
  chunkNames: 'c/[name]-[hash]',
  assetNames: 'f/[name]-[hash]',
  legalComments: 'linked',
  loader: { '.woff2': 'file' },
  external: ['/static/*'],
  define: { 'process.env.NODE_ENV': '"production"', __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' },
};

// Comments that begin with an exclamation mark link to the licences beside the file.
const MINIFICATION = { module: true, ecma: 2020, format: { comments: 'some' } };

function worker(id) {
  return {
    ...shared,
    entryPoints: ['ssr/server.ts'],
    outfile: SERVER,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    define: { 'process.env.NODE_ENV': '"production"', BUILD_ID: JSON.stringify(id) },
  };
}

/** A chunk, its static imports and theirs: the files the browser needs before it can run the chunk. */
function closure(outputs, file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { kind, path } of outputs[file].imports)
    if (kind === 'import-statement') closure(outputs, path, seen);
  return seen;
}

const address = (file) => PUBLIC + relative('static/dist', file);

/** CourseDetailsPage.tsx -> course-details */
function pageId(path) {
  const name = basename(path).replace(/(Page)?\.tsx?$/, '');
  return name.replace(/\B[A-Z]/g, '-$&').toLowerCase();
}

/** Page id -> source file, from the dynamic imports of routes.tsx. Throws when a served page has no file of its name. */
function pageSources({ inputs }) {
  const imported = inputs[ROUTES].imports.filter(({ kind }) => kind === 'dynamic-import');
  const sources = new Map(imported.map(({ path }) => [pageId(path), path]));
  const table = JSON.parse(readFileSync(join(ROOT, 'contracts', 'routes.json'), 'utf8'));
  const required = ['error', ...table.pages.filter(({ served }) => served).map(({ id }) => id)];
  const missing = required.filter((id) => !sources.has(id));
  if (missing.length > 0) throw new Error(`${ROUTES} imports no file named after: ${missing.join(', ')}`);
  return sources;
}

function manifest(metafile, id) {
  const { outputs } = metafile;
  const outputOf = (source) => Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
  const entry = outputOf('components/client.tsx');
  const shell = closure(outputs, entry);
  const preload = {};
  for (const [page, source] of pageSources(metafile)) {
    const own = closure(outputs, outputOf(source));
    preload[page] = [...new Set([...shell, ...own])].map(address);
  }
  return {
    build: id,
    entry: address(entry),
    css: [address(outputOf('static/css/main.css'))],
    fonts: preloadedFonts(outputs),
    preload,
  };
}

/** The fonts of every first view. The browser loads latin-ext when a page has such a letter. */
function preloadedFonts(outputs) {
  return Object.keys(outputs)
    .filter((file) => /-latin-wght-normal-\w+\.woff2$/.test(file))
    .map(address);
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

/** Writes the compressed forms of the SVG images beside them. */
function compressImages() {
  for (const path of files(IMAGES).filter((name) => name.endsWith('.svg'))) {
    for (const suffix of ['.br', '.gz']) rmSync(path + suffix, { force: true });
    compress(path);
  }
}

/** Fonts are compressed already; everything else is text. */
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
  const plugins = [await sharedChunks(client), ...client.plugins];
  const { metafile, outputFiles } = await build({ ...client, plugins, write: false });
  await Promise.all(outputFiles.map(writeOutput));
  return metafile;
}

/**
 * Writes a file of the browser's bundle, scripts after a second minification. esbuild's alone leaves 2.1 % more bytes
 * on /shop. A file that exists is left as it is: its name holds a hash of its content, and its compressed forms were
 * made from it.
 */
async function writeOutput({ path, contents, text }) {
  if (existsSync(path)) return;
  write(path, path.endsWith('.js') ? (await minify(text, MINIFICATION)).code : contents);
}

async function main() {
  const id = fingerprint();
  if (isUpToDate(id)) return;
  const startedAt = performance.now();
  const [metafile] = await Promise.all([buildClient(), build(worker(id))]);
  const assets = manifest(metafile, id);
  const names = Object.keys(metafile.outputs).map((file) => relative('static/dist', file));
  for (const name of names.filter(isText)) compress(join(DIST, name));
  compressImages();
  write(join(DIST, `build-${id}.json`), JSON.stringify({ build: id, pages: assets.preload }));
  write(join(DIST, 'assets.json'), JSON.stringify(assets));
  write(join(DIST, 'latest-build.json'), JSON.stringify({ build: id }));
  removeOldFiles(new Set([...names, `build-${id}.json`, 'assets.json', 'latest-build.json']));
  const duration = Math.round(performance.now() - startedAt);
  process.stderr.write(`built ${id}: ${names.length} files in ${duration} ms\n`);
}

await main();

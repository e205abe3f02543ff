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
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { AREAS, buildAreas, buildShop, commonOptions, readRoutes, SHOP } from './bundles.mjs';
import { address, checkBudgets, checkPageBudgets, filesOfPages, outputOf } from './manifest.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const DIST = join(ROOT, 'static/dist');
const IMAGES = join(ROOT, 'static/images');
const SERVER = join(ROOT, 'ssr/dist/server.cjs');
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

// Comments that begin with an exclamation mark link to the licences beside the file.
const MINIFICATION = {
  module: true,
  ecma: 2020,
  compress: { passes: 3, hoist_funs: true, lhs_constants: false, sequences: false },
  // Functions in brackets are compiled at once: the factories of React's packages run while the page loads.
  format: { comments: 'some', wrap_func_args: true },
};

function worker(id) {
  return {
    ...commonOptions(ROOT),
    entryPoints: ['ssr/server.ts'],
    outfile: SERVER,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    define: { 'process.env.NODE_ENV': '"production"', BUILD_ID: JSON.stringify(id) },
  };
}

function manifest(id, shop, areas) {
  const table = readRoutes(ROOT);
  const served = (pages) => pages.filter((page) => page.served).map((page) => page.id);
  const areaFiles = filesOfPages(areas, AREAS, ['area-error', ...served(table.area_pages)]);
  const shopFiles = filesOfPages(shop, SHOP, ['error', ...served(table.pages), ...served(table.own_pages)]);
  const sizeOf = (file) => statSync(`${join(ROOT, file)}.br`).size;
  checkBudgets(table, areaFiles, sizeOf);
  checkPageBudgets(table, shopFiles, sizeOf);
  const addressOf = (metafile, source) => address(outputOf(metafile, source));
  return {
    build: id,
    entry: addressOf(shop, SHOP.entry),
    area_entry: addressOf(areas, AREAS.entry),
    css: [addressOf(shop, 'static/css/main.css')],
    styles: {
      areas: addressOf(areas, 'static/css/areas.css'),
      certificates: addressOf(areas, 'static/css/certificates.css'),
      'no-script': addressOf(shop, 'static/css/no-script.css'),
      learning: addressOf(shop, 'static/css/learning.css'),
    },
    fonts: preloadedFonts(shop.outputs),
    preload: { ...shopFiles, ...areaFiles },
  };
}

/** The fonts of every first view. The browser loads latin-ext when a page has such a letter. */
function preloadedFonts(outputs) {
  return Object.keys(outputs)
    .filter((file) => /-latin-(?:wght|700)-normal-\w+\.woff2$/.test(file))
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

async function buildBrowser() {
  const bundles = await Promise.all([buildShop(ROOT), buildAreas(ROOT, readRoutes(ROOT).areas)]);
  await Promise.all(bundles.flatMap(({ outputFiles }) => outputFiles).map(writeOutput));
  return bundles.map(({ metafile }) => metafile);
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
  const [metafiles] = await Promise.all([buildBrowser(), build(worker(id))]);
  const outputs = metafiles.flatMap((metafile) => Object.keys(metafile.outputs));
  const names = [...new Set(outputs)].map((file) => relative('static/dist', file));
  for (const name of names.filter(isText)) compress(join(DIST, name));
  const assets = manifest(id, ...metafiles);
  compressImages();
  write(join(DIST, `build-${id}.json`), JSON.stringify({ build: id, pages: assets.preload }));
  write(join(DIST, 'assets.json'), JSON.stringify(assets));
  write(join(DIST, 'latest-build.json'), JSON.stringify({ build: id }));
  removeOldFiles(new Set([...names, `build-${id}.json`, 'assets.json', 'latest-build.json']));
  const duration = Math.round(performance.now() - startedAt);
  process.stderr.write(`built ${id}: ${names.length} files in ${duration} ms\n`);
}

await main();

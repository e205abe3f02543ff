// `scripts/bench lighthouse [--runs=3] [--url=http://localhost:8080]`: Lighthouse's mobile profile over the first views a
// visitor from a search engine gets, on a site of its own unless a running one is named. Ends with 1 below a goal.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judged, table } from './judging.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
// Newer ones ask for a newer Node; this one runs on 20 as well. Not in package.json: 180 MB that nobody else needs.
const VERSION = '13.5.0';
const JUDGE = join(ROOT, 'var/judges/lighthouse');
const CLI = join(JUDGE, 'node_modules/lighthouse/cli/index.js');
const FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking ' +
  '--disable-component-update --disable-sync';
const READY_MS = 60_000;
const RUN_MS = 180_000;

/** Thrown, not exited: whatever was started is stopped on the way out. */
function fail(text) {
  throw new Error(text);
}

function install() {
  const known = join(JUDGE, 'node_modules/lighthouse/package.json');
  if (existsSync(known) && JSON.parse(readFileSync(known, 'utf8')).version === VERSION) return;
  process.stderr.write(`Installing lighthouse ${VERSION} in var/judges…\n`);
  mkdirSync(JUDGE, { recursive: true });
  writeFileSync(join(JUDGE, 'package.json'), '{ "private": true }\n');
  const words = [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `lighthouse@${VERSION}`,
  ];
  if (spawnSync('npm', words, { cwd: JUDGE, stdio: 'inherit' }).status !== 0)
    fail('lighthouse could not be installed');
}

function browser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = names
    .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
    .find(Boolean);
  return process.env.CHROME_PATH ?? found ?? fail('Chromium is missing; CHROME_PATH may name it');
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/** The whole product with a folder of its own, as a production site would serve it. */
async function startSite() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'cf-lighthouse-'));
  const settings = { PORT: String(port), VAR_DIR: folder, ROBOTS: 'open', PAGE_CACHE: 'on', LIMITS: 'off' };
  const child = spawn(join(ROOT, '.venv/bin/python'), ['-m', 'host', 'serve'], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ready = new Promise((done, failed) => {
    setTimeout(() => failed(new Error('the site was not ready in time')), READY_MS).unref();
    child.stdout.on('data', (said) => String(said).includes('ready http://') && done());
    child.on('exit', () => failed(new Error('the site ended')));
  });
  const stop = () =>
    new Promise((done) => {
      child.removeAllListeners('exit').on('exit', () => {
        rmSync(folder, { recursive: true, force: true });
        done();
      });
      child.kill('SIGTERM');
    });
  return { origin: `http://localhost:${port}`, ready, stop };
}

async function linkOn(origin, path, pattern) {
  const html = await (await fetch(origin + path)).text();
  return html.match(pattern)?.[1] ?? fail(`${path} leads to no ${pattern}`);
}

async function pathsOf(origin) {
  return [
    '/',
    '/shop',
    await linkOn(origin, '/shop?kind=course', /href="(\/course-details\?course=[^"]+)"/),
    await linkOn(origin, '/shop?kind=book', /href="(\/shop-details\/[^"]+)"/),
  ];
}

/** Chromium sometimes loses a trace on a busy machine: that is tried once more. */
function run(url, chrome, file, isLast = false) {
  const words = [CLI, url, '--output=json', `--output-path=${file}`, '--quiet', `--chrome-flags=${FLAGS}`];
  words.push('--only-categories=performance,accessibility,best-practices,seo');
  const { status, stderr } = spawnSync(process.execPath, words, {
    env: { ...process.env, CHROME_PATH: chrome },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: RUN_MS,
  });
  if (status === 0) return JSON.parse(readFileSync(file, 'utf8'));
  if (isLast) return fail(`lighthouse failed on ${url}: ${String(stderr).trim().slice(-400)}`);
  return run(url, chrome, file, true);
}

/** Each page once per round, so that what else the machine does strikes all of them. */
async function measure(origin, rounds) {
  const chrome = browser();
  const folder = mkdtempSync(join(tmpdir(), 'cf-lighthouse-'));
  const paths = await pathsOf(origin);
  const reports = new Map(paths.map((path) => [path, []]));
  for (const path of paths) await (await fetch(origin + path)).arrayBuffer();
  for (let round = 1; round <= rounds; round += 1)
    for (const path of paths) {
      process.stderr.write(`round ${round} of ${rounds}: ${path} (load ${loadavg()[0].toFixed(1)})\n`);
      reports.get(path).push(run(origin + path, chrome, join(folder, 'report.json')));
    }
  rmSync(folder, { recursive: true, force: true });
  return [...reports].map(([path, made]) => judged(path, made));
}

async function main(words) {
  const given = Object.fromEntries(words.map((word) => word.replace(/^--/, '').split('=')));
  install();
  const site = given.url ? { origin: given.url, stop: async () => undefined } : await startSite();
  try {
    await site.ready;
    const lines = await measure(site.origin, Number(given.runs ?? 3));
    process.stdout.write(table(lines));
    process.exitCode = lines.every((line) => line.isReached) ? 0 : 1;
  } finally {
    await site.stop();
  }
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
});

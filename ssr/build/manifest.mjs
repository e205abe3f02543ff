// What the host needs to know of a build: the files of each page, and whether areas keep to their budgets.
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

const PUBLIC = '/static/dist/';

/** The address of an output file. */
export const address = (file) => PUBLIC + relative('static/dist', file);

/** The output file of a source that is an entry. */
export function outputOf({ outputs }, source) {
  return Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
}

/** A chunk, its static imports and theirs: the files the browser needs before it can run the chunk. */
function closure(outputs, file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { kind, path } of outputs[file].imports)
    if (kind === 'import-statement') closure(outputs, path, seen);
  return seen;
}

/** CourseDetailsPage.tsx -> course-details */
function pageId(path) {
  const name = basename(path).replace(/(Page)?\.tsx?$/, '');
  return name.replace(/\B[A-Z]/g, '-$&').toLowerCase();
}

/** Page id -> what its row in a table of pages imports: pages that the server describes whole share a file. */
function importsOfRows(routes) {
  const rows = readFileSync(routes, 'utf8').matchAll(/([\w-]+)'?: page\(\s*\(\) => import\('([^']+)'\)/g);
  return [...rows].map(([, id, imported]) => [id, imported]);
}

/**
 * Page id -> the files it needs, from the dynamic imports of a bundle's table of pages. Throws when one of the required
 * pages has neither a row nor a file of its name.
 */
export function filesOfPages(metafile, { entry, routes }, required) {
  const imported = metafile.inputs[routes].imports.filter(({ kind }) => kind === 'dynamic-import');
  const sources = new Map(imported.map(({ path }) => [pageId(path), path]));
  const byImport = new Map(imported.map(({ original, path }) => [original, path]));
  for (const [id, original] of importsOfRows(routes))
    if (byImport.has(original)) sources.set(id, byImport.get(original));
  const missing = required.filter((id) => !sources.has(id));
  if (missing.length > 0) throw new Error(`${routes} imports no file named after: ${missing.join(', ')}`);
  const start = closure(metafile.outputs, outputOf(metafile, entry));
  return Object.fromEntries(
    [...sources].map(([id, source]) => {
      const own = closure(metafile.outputs, outputOf(metafile, source));
      return [id, [...new Set([...start, ...own])].map(address)];
    }),
  );
}

/**
 * Throws when a page of an area loads more JavaScript than `javascript_budget` of its area. `files`: page id -> files.
 * `sizeOf`: bytes of a file as the browser gets it.
 */
export function checkBudgets({ areas, area_pages }, files, sizeOf) {
  const budgets = new Map(areas.map(({ id, javascript_budget }) => [id, javascript_budget]));
  for (const { id, area, served } of area_pages)
    if (served) checkBudget(id, files[id], budgets.get(area), `the area ${area}`, sizeOf);
}

/** Throws when a page of the shop loads more JavaScript than the `javascript_budget` of its row, if it has one. */
export function checkPageBudgets({ pages }, files, sizeOf) {
  for (const { id, served, javascript_budget: budget } of pages)
    if (served && budget) checkBudget(id, files[id], budget, 'its row', sizeOf);
}

function checkBudget(id, files, budget, allowedBy, sizeOf) {
  const bytes = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (bytes > budget)
    throw new Error(`${id} loads ${bytes} bytes of JavaScript; ${allowedBy} allows ${budget}`);
}

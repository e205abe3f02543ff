/** @jest-environment node */
import { build } from 'esbuild';
// @ts-expect-error: the build is plain JavaScript
import { pageRows } from './plugins.mjs';

test('the bundle has the columns of the page table that components use, and no other', async () => {
  const contents = "import table from './contracts/routes.json'; console.log(table.pages, table.own_pages);";
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [pageRows],
  });
  const text = outputFiles[0]?.text ?? '';
  expect(text).toContain('"/adminlogin"');
  expect(text).toContain('"imprint"');
  expect(text).not.toMatch(/"\/shop"|"default"|completed_old|logincallback/);
  const columns = new Set([...text.matchAll(/(\w+): (?:"|true|false|!)/g)].map(([, name]) => name));
  expect([...columns].sort()).toEqual(['id', 'layout', 'path', 'server_rendered']);
});

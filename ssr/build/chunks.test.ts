/** @jest-environment node */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: the build is plain JavaScript
import { SHOP_GROUPS, STYLEGUIDE } from './bundles.mjs';
// @ts-expect-error: the build is plain JavaScript
import { sharedChunks } from './chunks.mjs';

test('a folder that nothing is loaded from any more fails the build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chunks-'));
  try {
    writeFileSync(join(folder, 'client.ts'), 'export {};');
    const options = {
      absWorkingDir: folder,
      bundle: true,
      entryPoints: { client: 'client.ts' },
      outdir: 'out',
    };
    await expect(sharedChunks(options, SHOP_GROUPS, { everywhere: STYLEGUIDE })).rejects.toThrow(
      /nothing is loaded from .*components\/pages\/cart\//,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

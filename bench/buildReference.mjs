// Bundles bench/nodeMem.tsx as ssr/build/build.mjs bundles the render worker: `node bench/buildReference.mjs OUTFILE`.
import { build } from 'esbuild';
import { leanRouter, textStyles } from '../ssr/build/plugins.mjs';

await build({
  entryPoints: ['bench/nodeMem.tsx'],
  outfile: process.argv[2],
  bundle: true,
  jsx: 'automatic',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'error',
  plugins: [textStyles, leanRouter],
  define: { 'process.env.NODE_ENV': '"production"' },
});

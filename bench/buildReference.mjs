// Bundles bench/nodeMem.tsx just as ssr/build.mjs bundles the render worker: `node bench/buildReference.mjs OUTFILE`.
import { build } from 'esbuild';
import { leanRouter, leanRoutes, textStyles } from '../ssr/buildPlugins.mjs';
import { tidyMarkup } from '../ssr/tidyMarkup.mjs';

await build({
  entryPoints: ['bench/nodeMem.tsx'],
  outfile: process.argv[2],
  bundle: true,
  jsx: 'automatic',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'error',
  plugins: [textStyles, leanRouter, leanRoutes, tidyMarkup],
  define: { 'process.env.NODE_ENV': '"production"' },
});

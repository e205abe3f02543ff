import { requestHeaders } from './client';

/** Whether a newer build than this one is live. A check that fails says no. */
export async function isReplaced(build: string): Promise<boolean> {
  try {
    const latest = await buildIn('latest-build');
    // While a deploy is under way, some hosts have the new build and others do not: its manifest shows that it is there.
    return latest !== build && latest === (await buildIn(`build-${latest}`));
  } catch {
    // Offline or during a deploy: the result would say nothing.
    return false;
  }
}

/** The build that a file of the build names. */
async function buildIn(name: string): Promise<unknown> {
  const response = await fetch(`/static/dist/${name}.json`, {
    headers: requestHeaders(),
    cache: 'no-store',
  });
  return ((await response.json()) as { build: unknown }).build;
}

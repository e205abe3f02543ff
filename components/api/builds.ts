import { requestHeaders } from './client';

// Specification §9: once an hour.
export const BUILD_CHECK_MS = 3_600_000;

let stale = false;

/** A newer build is live: the next navigation becomes a full load. */
export function isStale(): boolean {
  return stale;
}

export function markStale(): void {
  stale = true;
}

/**
 * Checks every hour whether a newer build is live; returns a function that stops it. A failed check is repeated an
 * hour later.
 */
export function watchBuilds(build: string): () => void {
  const timer = setInterval(() => void checkBuild(build), BUILD_CHECK_MS);
  return () => clearInterval(timer);
}

export async function checkBuild(build: string): Promise<void> {
  try {
    const latest = await buildIn('latest-build');
    // While a deploy is under way, some hosts have the new build and others do not: its manifest shows that it is there.
    if (latest !== build && latest === (await buildIn(`build-${latest}`))) markStale();
  } catch {
    // Offline or during a deploy: the result would say nothing.
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

import type { Head, PageData, Site } from '../components/api/pageProps';

/** One page to draw, as the host sends it (docs/wire.md, "render"). */
export type Job = {
  mode: 'stream' | 'whole';
  nonce: string | null;
  url: string;
  page: string;
  status: number;
  deferred: string[];
  site: Site;
  props: Record<string, unknown>;
};

export class BadJob extends Error {
  override name = 'BadJob';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A job checked at the door; throws BadJob with the field that is wrong. */
export function parseJob(text: string): Job {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadJob('the job is not JSON');
  }
  if (!isRecord(value)) throw new BadJob('the job is not an object');
  const { mode, nonce, url, page, status, deferred, site, props } = value;
  if (mode !== 'stream' && mode !== 'whole') throw new BadJob('mode');
  if (nonce !== null && typeof nonce !== 'string') throw new BadJob('nonce');
  if (typeof url !== 'string' || !url.startsWith('/')) throw new BadJob('url');
  if (typeof page !== 'string') throw new BadJob('page');
  if (typeof status !== 'number') throw new BadJob('status');
  if (!Array.isArray(deferred) || !deferred.every((key) => typeof key === 'string'))
    throw new BadJob('deferred');
  if (!isRecord(site)) throw new BadJob('site');
  if (!isRecord(props)) throw new BadJob('props');
  return { mode, nonce, url, page, status, deferred, site: site as Site, props };
}

// Jinja prints the head; the tree only needs the form.
const NO_HEAD: Head = {
  title: '',
  description: '',
  canonical: null,
  robots: '',
  type: '',
  image: null,
  jsonLd: [],
};

export function pageData(job: Job, parts: Record<string, unknown>): PageData {
  return { page: job.page, status: job.status, head: NO_HEAD, props: { ...job.props, ...parts } };
}

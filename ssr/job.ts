import type { AreaProps, HeadProps, PageData, SiteProps } from '../components/contracts/schema';

/** One page to render, as the host sends it (docs/contracts.md, "render"). */
export type Job = {
  mode: 'stream' | 'whole';
  nonce: string | null;
  /** The id of the request that the page is rendered for, for logs. */
  requestId: string;
  url: string;
  page: string;
  status: number;
  deferred: string[];
  site: SiteProps;
  /** Set for a page of an area. */
  area?: AreaProps;
  props: Record<string, unknown>;
};

export class BadJob extends Error {
  override name = 'BadJob';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses and checks a job. Throws BadJob with the name of the field that is wrong. */
export function parseJob(text: string): Job {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadJob('the job is not JSON');
  }
  if (!isRecord(value)) throw new BadJob('the job is not an object');
  const { mode, nonce, requestId = '', url, page, status, deferred, site, area, props } = value;
  if (mode !== 'stream' && mode !== 'whole') throw new BadJob('mode');
  if (nonce !== null && typeof nonce !== 'string') throw new BadJob('nonce');
  if (typeof requestId !== 'string') throw new BadJob('requestId');
  if (typeof url !== 'string' || !url.startsWith('/')) throw new BadJob('url');
  if (typeof page !== 'string') throw new BadJob('page');
  if (typeof status !== 'number') throw new BadJob('status');
  if (!Array.isArray(deferred) || !deferred.every((key) => typeof key === 'string'))
    throw new BadJob('deferred');
  if (!isRecord(site)) throw new BadJob('site');
  if (area !== undefined && !isRecord(area)) throw new BadJob('area');
  if (!isRecord(props)) throw new BadJob('props');
  const job: Job = { mode, nonce, requestId, url, page, status, deferred, site: site as SiteProps, props };
  return area ? { ...job, area: area as AreaProps } : job;
}

// Jinja renders the head; the components only need an object of its type.
const NO_HEAD: HeadProps = {
  title: '',
  description: '',
  canonical: null,
  robots: '',
  type: '',
  image: null,
  jsonLd: [],
};

/** What the components get: the job's props, and its deferred parts as values or promises. */
export function pageData(job: Job, parts: Record<string, unknown>): PageData {
  const data: PageData = {
    page: job.page,
    status: job.status,
    head: NO_HEAD,
    props: { ...job.props, ...parts },
  };
  return job.area ? { ...data, area: job.area } : data;
}

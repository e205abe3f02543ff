import { accessToken } from '../browser/cookies';
import { API_TIMEOUT_MS } from './limits';

/** RFC 9457, as every failing call answers (docs/wire.md). */
export type Problem = {
  status: number;
  title: string;
  detail?: string;
  errors?: Record<string, string>;
  retryAfterS?: number;
  /** The whole answer: some problems say more than the standard's members. */
  members?: Record<string, unknown>;
};

/** A call that was answered with other than success; status 0 says that no answer came. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: Record<string, string>;
  readonly retryAfterS: number | null;
  readonly members: Record<string, unknown>;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = 'ApiProblem';
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail ?? problem.title;
    this.errors = problem.errors ?? {};
    this.retryAfterS = problem.retryAfterS ?? null;
    this.members = problem.members ?? {};
  }
}

type Options = { headers?: Record<string, string>; keepalive?: boolean; signal?: AbortSignal };

let base = '/api';

/** The base URL is a setting of the host (API_BASE) and comes with the page. */
export function setBase(url: string): void {
  base = url;
}

export function get<T>(path: string, options: Options = {}): Promise<T> {
  return send<T>('GET', path, undefined, options);
}

export function post<T>(path: string, body: unknown, options: Options = {}): Promise<T> {
  return send<T>('POST', path, body, options);
}

export function put<T>(path: string, body: unknown): Promise<T> {
  return send<T>('PUT', path, body, {});
}

export function patch<T>(path: string, body: unknown): Promise<T> {
  return send<T>('PATCH', path, body, {});
}

export function remove<T>(path: string, body: unknown): Promise<T> {
  return send<T>('DELETE', path, body, {});
}

/** Where the browser itself goes, or what it loads in a frame. */
export function callAddress(path: string): string {
  return base + path;
}

async function send<T>(method: string, path: string, body: unknown, options: Options): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const token = accessToken();
  if (token) headers.Authorization = `Bearer ${token}`;
  const deadline = AbortSignal.timeout(API_TIMEOUT_MS);
  const response = await fetch(base + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    keepalive: options.keepalive ?? false,
    credentials: 'same-origin',
    signal: options.signal ? AbortSignal.any([deadline, options.signal]) : deadline,
  }).catch((cause: unknown) => {
    throw new ApiProblem({ status: 0, title: 'No answer', detail: noAnswer(cause) });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiProblem(problemOf(response, answer));
  return answer as T;
}

function noAnswer(cause: unknown): string {
  const late = cause instanceof DOMException && cause.name === 'TimeoutError';
  return late ? 'The site took too long to answer.' : 'The site could not be reached. Check your connection.';
}

function problemOf(response: Response, answer: unknown): Problem {
  const given = (answer ?? {}) as Partial<Problem>;
  const wait = Number(response.headers.get('Retry-After'));
  return {
    status: response.status,
    title: given.title ?? `Status ${response.status}`,
    ...(given.detail === undefined ? {} : { detail: given.detail }),
    ...(given.errors === undefined ? {} : { errors: given.errors }),
    ...(wait > 0 ? { retryAfterS: wait } : {}),
    members: given,
  };
}

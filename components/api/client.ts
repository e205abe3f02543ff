import { accessToken } from '../browser/storage/cookies';

// Specification §9. The browser gives up long before.
const API_TIMEOUT_MS = 500_000;

/** RFC 9457, as every failing call answers (docs/contracts.md). */
export type Problem = {
  status: number;
  title: string;
  detail?: string;
  errors?: Record<string, string>;
  retryAfterS?: number;
  /** The whole response body: some problems have more members than the standard's. */
  members?: Record<string, unknown>;
};

/** A call that failed; status 0 means that no response arrived. */
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

/**
 * `signal` replaces the deadline: whoever gives one must abort it in time. `keepalive`: the call goes on when the page
 * is left. `onHeaders` gets the headers of a successful response.
 */
type Options = {
  headers?: Record<string, string>;
  keepalive?: boolean;
  signal?: AbortSignal;
  onHeaders?: (headers: Headers) => void;
};

let base = '/api';

/** The base URL is a setting of the host (API_BASE) and is part of the page. */
export function setBase(url: string): void {
  base = url;
}

export function get<T>(path: string, options: Options = {}): Promise<T> {
  return send<T>('GET', path, undefined, options);
}

export function post<T>(path: string, body: unknown, options: Options = {}): Promise<T> {
  return send<T>('POST', path, body, options);
}

export function put<T>(path: string, body: unknown, options: Options = {}): Promise<T> {
  return send<T>('PUT', path, body, options);
}

export function patch<T>(path: string, body: unknown): Promise<T> {
  return send<T>('PATCH', path, body, {});
}

export function remove<T>(path: string, body: unknown): Promise<T> {
  return send<T>('DELETE', path, body, {});
}

/** The address of a call that the browser navigates to or loads in a frame. */
export function callAddress(path: string): string {
  return base + path;
}

/** Headers of every request for JSON: specification §7 asks for the bearer token whenever there is one. */
export function requestHeaders(): Record<string, string> {
  const token = accessToken();
  return { Accept: 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

async function send<T>(method: string, path: string, body: unknown, options: Options): Promise<T> {
  const headers: Record<string, string> = { ...requestHeaders(), ...options.headers };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(base + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    keepalive: options.keepalive ?? false,
    credentials: 'same-origin',
    signal: options.signal ?? AbortSignal.timeout(API_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new ApiProblem({ status: 0, title: 'No answer', detail: noAnswer(cause) });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiProblem(problemOf(response, answer));
  options.onHeaders?.(response.headers);
  return answer as T;
}

function noAnswer(cause: unknown): string {
  // Chrome before 124 calls it AbortError. Who aborts a call shows no error.
  const isTimeout = cause instanceof DOMException && /^(?:Timeout|Abort)Error$/.test(cause.name);
  return isTimeout
    ? 'The site took too long to answer.'
    : 'The site could not be reached. Check your connection.';
}

/** What a response that is no success says. */
export function problemOf(response: Response, answer: unknown): Problem {
  const body = (answer ?? {}) as Partial<Problem>;
  const wait = Number(response.headers.get('Retry-After'));
  return {
    status: response.status,
    title: body.title ?? `Status ${response.status}`,
    ...(body.detail === undefined ? {} : { detail: body.detail }),
    ...(body.errors === undefined ? {} : { errors: body.errors }),
    ...(wait > 0 ? { retryAfterS: wait } : {}),
    members: body,
  };
}

import { visitCookies } from '../browser/cookies';
import { sessionId } from '../browser/session';
import { unsentVisits } from '../browser/unsentVisits';
import { newUuid } from '../browser/uuid';
import { ApiProblem, post } from './client';

/** SetAAUserTraceLog in the specification's own words. EventID lets a resend count once. */
export type TraceLog = {
  EventID: string;
  LoginEmail: string;
  AAUserID: number;
  CouponID: string;
  SessionID: string;
  Stunum: string;
  SpecialCouponID: string;
  Url: string;
};

const TOKEN_PAGES = /^(\/(?:email-verify|forget-password))\/[^/?]+/i;

/** Path and query as a visit may name them: no tokens of mails, no query of the sign-in callback. */
export function visitUrl(path: string, query: string): string {
  const clean = path.replace(TOKEN_PAGES, '$1/{token}');
  return /^\/logincallback\/?$/i.test(clean) ? clean : clean + query;
}

function traceLog(url: string): TraceLog {
  const cookies = visitCookies();
  return {
    EventID: newUuid(),
    LoginEmail: cookies.email,
    AAUserID: cookies.learnerId,
    CouponID: cookies.couponId,
    SessionID: sessionId(),
    Stunum: cookies.studentNumber,
    SpecialCouponID: cookies.specialCoupon,
    Url: url,
  };
}

/**
 * Logs a visit. It is kept in the browser until the host has it, so that leaving the page, a 429, a 503 or a lost
 * connection costs nothing: what is kept goes out again with the next visit, under the same EventID.
 */
export async function logVisit(path: string, query: string): Promise<void> {
  const visit = traceLog(visitUrl(path, query));
  unsentVisits.keep(visit.EventID, visit);
  const wasSent = await deliver(visit);
  if (wasSent) await resendVisits();
}

let retryAt = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let resending: Promise<void> | null = null;

/** Sends again what an earlier page could not; stops at the first failure. */
export function resendVisits(): Promise<void> {
  resending ??= drain().finally(() => {
    resending = null;
  });
  return resending;
}

const inFlight = new Set<string>();

async function drain(): Promise<void> {
  for (const visit of unsentVisits.all<TraceLog>()) {
    if (inFlight.has(visit.EventID)) continue;
    if (Date.now() < retryAt || !(await deliver(visit))) return;
  }
}

async function deliver(visit: TraceLog): Promise<boolean> {
  inFlight.add(visit.EventID);
  try {
    await post('/SetAAUserTraceLog', visit, { keepalive: true });
    unsentVisits.drop(visit.EventID);
    return true;
  } catch (problem) {
    return handled(visit, problem);
  } finally {
    inFlight.delete(visit.EventID);
  }
}

/** Whether the next kept visit may be tried: a visit that the host will never take is dropped, the rest waits. */
function handled(visit: TraceLog, problem: unknown): boolean {
  const status = problem instanceof ApiProblem ? problem.status : 0;
  if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
    unsentVisits.drop(visit.EventID);
    return true;
  }
  if (status > 0) wait((problem as ApiProblem).retryAfterS ?? 1);
  return false;
}

/** The host asked for patience. Without any answer nobody did: the connection's return is the moment to try. */
function wait(seconds: number): void {
  retryAt = Date.now() + seconds * 1000;
  clearTimeout(retry);
  retry = setTimeout(() => void resendVisits(), seconds * 1000 + 50);
}

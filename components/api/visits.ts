import { takeReferrer } from '../browser/address';
import { beginVisit } from '../browser/reload';
import { visitCookies } from '../browser/storage/cookies';
import { unsentVisits } from '../browser/storage/unsentVisits';
import { sessionId } from '../browser/storage/visitSession';
import { newTimedUuid } from '../model/uuid';
import { visitUrl } from '../model/visitAddress';
import { ApiProblem, post } from './client';

/** The body of SetAAUserTraceLog, in the specification's names. EventID makes a resend idempotent. */
export type TraceLog = {
  EventID: string;
  LoginEmail: string;
  AAUserID: number;
  CouponID: string;
  SessionID: string;
  Stunum: string;
  SpecialCouponID: string;
  Url: string;
  Referrer?: string;
  /** Only the first visit of a document has it: reports count the served documents that the script has seen. */
  Load?: 'first';
};

function traceLog(url: string): TraceLog {
  const cookies = visitCookies();
  const referrer = takeReferrer();
  return {
    EventID: newTimedUuid(),
    LoginEmail: cookies.email,
    AAUserID: cookies.learnerId,
    CouponID: cookies.couponId,
    SessionID: sessionId(),
    Stunum: cookies.studentNumber,
    SpecialCouponID: cookies.specialCoupon,
    Url: url,
    ...(referrer && { Referrer: referrer }),
    ...(referrer != null && { Load: 'first' }),
  };
}

/**
 * Logs a visit. It is stored in the browser until the host has accepted it, so that leaving the page, a 429, a 503 or
 * a lost connection loses nothing: stored visits are sent again with the next one, under the same EventID. A document
 * that replaces another at its address does not log the visit again.
 */
export async function logVisit(path: string, query: string): Promise<void> {
  const visit = traceLog(visitUrl(path, query));
  if (beginVisit(path + query)) {
    unsentVisits.save(visit.EventID, visit);
    if (!(await deliver(visit))) return;
  }
  await resendVisits();
}

let retryAt = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let resending: Promise<void> | null = null;

/** Sends the visits that an earlier page could not send; stops at the first failure. */
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
    unsentVisits.remove(visit.EventID);
    return true;
  } catch (problem) {
    return handleFailure(visit, problem);
  } finally {
    inFlight.delete(visit.EventID);
  }
}

/** Whether the next stored visit may be sent. A visit that the host will never accept is removed, the others wait. */
function handleFailure(visit: TraceLog, problem: unknown): boolean {
  const status = problem instanceof ApiProblem ? problem.status : 0;
  if (status >= 400 && status < 500 && status !== 429 && status !== 408) {
    unsentVisits.remove(visit.EventID);
    return true;
  }
  if (status > 0) retryAfter((problem as ApiProblem).retryAfterS ?? 1);
  return false;
}

/**
 * Waits for the time that the host named. Without a response there is none: the next reconnect triggers the
 * retry.
 */
function retryAfter(seconds: number): void {
  retryAt = Date.now() + seconds * 1000;
  clearTimeout(retry);
  retry = setTimeout(() => void resendVisits(), seconds * 1000 + 50);
}

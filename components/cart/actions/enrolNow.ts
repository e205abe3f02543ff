import { refreshAuth } from '../../api/auth';
import { ApiProblem } from '../../api/client';
import { enrol } from '../../api/enrol';
import { currentAddress } from '../../browser/address';
import { leaveFor, navigateTo } from '../../browser/navigation';
import { rememberEnrolment } from '../../browser/storage/pendingEnrolment';
import { loginAddress } from '../../model/returnTo';
import { notify } from '../../ui/toasts/toasts';

/** Enrols in a free course and leads to it. A guest signs in first: then the course's page goes on by itself. */
export async function enrolNow(course: number): Promise<void> {
  if (!refreshAuth().learner) return signInFirst(course);
  try {
    await leaveFor(await enrol(course));
  } catch (problem) {
    if (!(problem instanceof ApiProblem)) throw problem;
    if (problem.status === 401) return signInFirst(course);
    await notify('error', problem.detail);
  }
}

function signInFirst(course: number): void {
  rememberEnrolment(course);
  navigateTo(loginAddress(currentAddress()));
}

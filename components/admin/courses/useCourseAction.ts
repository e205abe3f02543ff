import { useState } from 'react';
import { useRefresh } from '../../api/session/privatePage';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { notify } from '../../ui/toasts/toasts';

/** One action on a course at a time; afterwards the page shows the new state, also when somebody else was faster. */
export function useCourseAction() {
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);

  async function run(action: () => Promise<unknown>, done: string) {
    if (isBusy) return;
    setBusy(true);
    try {
      await action();
      await notify('success', done);
    } catch (problem) {
      await notify('error', apiErrorText(problem));
    } finally {
      setBusy(false);
      refresh().catch(() => undefined);
    }
  }

  return { isBusy, run };
}

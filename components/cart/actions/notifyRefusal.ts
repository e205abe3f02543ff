import { notify } from '../../ui/toasts/toasts';

/** Removing a code has no field to show a refusal at: it becomes a toast. */
export async function notifyRefusal(change: Promise<string>): Promise<void> {
  const refusal = await change;
  if (refusal) await notify('error', `The code was not removed. ${refusal}`);
}

import { useId } from 'react';
import { useRefresh } from '../../api/session/privatePage';
import type { FieldErrors } from '../../forms/call/callOutcome';
import { useCallForm } from '../../forms/call/useCallForm';
import { notify } from '../../ui/toasts/toasts';

type EditFormOptions<V> = {
  read: (data: FormData) => V;
  check?: (values: V) => FieldErrors;
  version: number;
  draft: string;
  /** What is said once it is stored. */
  saved: string;
};

/** A form with the stored values of one thing, which are loaded again once it is saved. `field` has what a field of
 * one of them needs besides its label. */
export function useEditForm<V extends object>(
  send: (values: V, version: number) => Promise<unknown>,
  fields: V,
  { saved, ...options }: EditFormOptions<V>,
) {
  const id = useId();
  const refresh = useRefresh();
  const form = useCallForm(send, {
    ...options,
    asksBeforeLeaving: true,
    onSuccess: () => {
      void notify('success', saved);
      // The change is made; what is shown is loaded again with the next page at the latest.
      refresh().catch(() => undefined);
    },
  });
  const field = (name: keyof V & string) => ({
    id: `${id}-${name}`,
    name,
    defaultValue: `${fields[name] ?? ''}`,
    error: form.errors[name],
  });
  return { form, field };
}

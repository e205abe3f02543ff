import { type FormEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { carryOut } from '../../api/admin/actions';
import { useRefresh } from '../../api/session/privatePage';
import { navigateTo } from '../../browser/navigation';
import type { ActionPageProps } from '../../contracts/schema';
import { FormStatus } from '../../forms/call/FormStatus';
import { textOf } from '../../forms/call/formValues';
import { useCallForm } from '../../forms/call/useCallForm';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { Fold } from '../Fold';
import { ActionField } from './ActionField';

type Action = ActionPageProps['actions'][number];

/** One thing that can be done: its fields, the question before it, and what was done as a notice after it. */
export function ActionForm({ action, isFolded = false }: { action: Action; isFolded?: boolean }) {
  const { title, text, call, button, isDangerous, question, fields, leadsTo } = action;
  const id = useId();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const confirmed = useRef(false);
  const [isAsking, setIsAsking] = useState(false);
  const form = useCallForm((values: Record<string, string>) => carryOut(call, values), {
    read: (data) => Object.fromEntries(fields.map(({ name }) => [name, textOf(data, name)])),
    check: (values) =>
      Object.fromEntries(
        fields
          .filter(({ name, isRequired }) => isRequired && !values[name])
          .map(({ name, label }) => [name, `${label}: this is needed.`]),
      ),
    // A page may have several forms of one call.
    draft: fields.length > 0 ? `${call}#${action.id}` : '',
    onSuccess: (outcome, element) => {
      element.reset();
      void notify('success', outcome.text);
      if (outcome.href) navigateTo(outcome.href);
      else if (leadsTo) navigate(leadsTo);
      // The change is made; what is shown is loaded again with the next page at the latest.
      else refresh().catch(() => undefined);
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    if (question && !confirmed.current && event.currentTarget.checkValidity()) {
      event.preventDefault();
      setIsAsking(true);
      return;
    }
    confirmed.current = false;
    form.formProps.onSubmit(event);
  }

  function confirm() {
    confirmed.current = true;
    form.formProps.ref.current?.requestSubmit();
  }

  const content = (
    <>
      {text && <p className="muted">{text}</p>}
      <form className="area-form" {...form.formProps} onSubmit={submit}>
        <FormStatus form={form} />
        {fields.map((field) => (
          <ActionField
            key={field.name}
            field={field}
            id={`${id}-${field.name}`}
            error={form.errors[field.name]}
          />
        ))}
        <Button variant={isDangerous ? 'danger' : 'main'} isBusy={form.isBusy} busyText="Saving…">
          {button}
        </Button>
        {isAsking && question && (
          <ConfirmDialog
            question={`${title}?`}
            text={question}
            yes={button}
            isHarmless={!isDangerous}
            no="Cancel"
            onYes={confirm}
            onClose={() => setIsAsking(false)}
          />
        )}
      </form>
    </>
  );
  if (isFolded)
    return (
      // What was typed before a new sign-in is shown again.
      <Fold title={title} isOpen={form.draft.isRestored}>
        {content}
      </Fold>
    );
  return (
    <section className="area-box" aria-labelledby={`${id}-title`}>
      <h2 className="heading-m" id={`${id}-title`}>
        {title}
      </h2>
      {content}
    </section>
  );
}

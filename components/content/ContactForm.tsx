import { useEffect, useState } from 'react';
import { post } from '../api/client';
import { useSite } from '../api/site';
import type { ContactProps, ContactValues } from '../contracts/schema';
import { FormError } from '../forms/call/FormError';
import { useCallForm } from '../forms/call/useCallForm';
import { Button } from '../ui/controls/Button';
import { ContactFields } from './ContactFields';
import { ContactSent } from './ContactSent';
import { contactErrors, failureText } from './contactRules';

type ContactFormProps = { form: ContactProps['form'] };
/** `website` is a honeypot for spam: people do not see the field. */
type SentValues = ContactValues & { website: string };

/** A plain form until the page is hydrated; afterwards the same fields, sent without leaving the page. */
export function ContactForm({ form }: ContactFormProps) {
  const site = useSite();
  const [sent, setSent] = useState<'' | 'before' | 'here'>(form.sent ? 'before' : '');
  const [isHydrated, setIsHydrated] = useState(false);
  // Before hydration the browser validates; afterwards our messages are shown at the fields.
  useEffect(() => setIsHydrated(true), []);
  const callForm = useCallForm((values: SentValues) => post('/contact', values), {
    read: valuesOf,
    check: contactErrors,
    errors: form.errors,
    onSuccess: () => setSent('here'),
  });
  const { problem } = callForm.call;

  if (sent) return <ContactSent takeFocus={sent === 'here'} onAgain={() => setSent('')} />;
  return (
    <form
      className="contact-form panel"
      method="post"
      action="/contact"
      {...callForm.formProps}
      noValidate={isHydrated}
    >
      <h2 className="contact-form__title">Send us a message</h2>
      <p className="contact-form__legend hint">Fields marked * are required.</p>
      <ContactFields values={form.values} errors={callForm.errors} />
      <div className="sr-only" aria-hidden="true">
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <FormError text={problem ? failureText(problem, site.email) : callForm.text} />
      <Button isBusy={callForm.isBusy} busyText="Sending…">
        Send message
      </Button>
    </form>
  );
}

function valuesOf(data: FormData): SentValues {
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    name: text('name'),
    email: text('email'),
    subject: text('subject'),
    message: text('message'),
    website: text('website'),
  };
}

import { useEffect, useState } from 'react';
import { ApiProblem, post } from '../api/client';
import { useSite } from '../api/site';
import type { ContactProps, ContactValues } from '../contracts/schema';
import { BusyButton } from '../forms/BusyButton';
import { useCallForm } from '../forms/useCallForm';
import { Icon } from '../ui/Icon';
import { ContactFields } from './ContactFields';
import { ContactSent } from './ContactSent';
import { type ContactErrors, contactErrors, failureText, tooManyText } from './contactRules';

type ContactFormProps = { form: ContactProps['form'] };
/** `website` is a honeypot for spam: people do not see the field. */
type SentValues = ContactValues & { website: string };

/** A plain form until the page is hydrated; afterwards the same fields, sent without leaving the page. */
export function ContactForm({ form }: ContactFormProps) {
  const site = useSite();
  const [callErrors, setCallErrors] = useState<ContactErrors>(form.errors);
  const [isBusy, setIsBusy] = useState(false);
  const [sent, setSent] = useState<'' | 'before' | 'here'>(form.sent ? 'before' : '');
  const [isHydrated, setIsHydrated] = useState(false);
  // Before hydration the browser validates; afterwards our messages are shown at the fields.
  useEffect(() => setIsHydrated(true), []);
  const { errors, formProps } = useCallForm({
    call: { isBusy, errors: callErrors },
    read: valuesOf,
    check: (values): ContactErrors => {
      setCallErrors({});
      return contactErrors(values);
    },
    send,
  });

  async function send(values: SentValues) {
    setIsBusy(true);
    try {
      await post('/contact', values);
      setSent('here');
    } catch (error) {
      setCallErrors(failuresOf(error, site.email));
    } finally {
      setIsBusy(false);
    }
  }

  if (sent) return <ContactSent takeFocus={sent === 'here'} onAgain={() => setSent('')} />;
  return (
    <form
      className="contact-form panel"
      method="post"
      action="/contact"
      {...formProps}
      noValidate={isHydrated}
    >
      <h2 className="contact-form__title">Send us a message</h2>
      <p className="contact-form__legend hint">Fields marked * are required.</p>
      <ContactFields values={form.values} errors={errors} />
      <div className="sr-only" aria-hidden="true">
        <label htmlFor="contact-website">Leave this empty</label>
        <input id="contact-website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <div role="alert">
        {errors.form && (
          <p className="contact-form__failure">
            <Icon name="warning" />
            {errors.form}
          </p>
        )}
      </div>
      <BusyButton isBusy={isBusy} busy="Sending…">
        Send message
      </BusyButton>
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

function failuresOf(error: unknown, email: string): ContactErrors {
  if (!(error instanceof ApiProblem)) return { form: failureText(null, '', email) };
  const fields = (error.errors ?? {}) as ContactErrors;
  if (Object.keys(fields).length > 0) return { form: 'Please correct the marked fields.', ...fields };
  if (error.status === 429) return { form: tooManyText(error.retryAfterS ?? 0) };
  return { form: failureText(error.status, error.detail, email) };
}

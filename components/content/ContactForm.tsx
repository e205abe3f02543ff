import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem, post } from '../api/client';
import type { ContactProps, ContactValues } from '../api/pageProps';
import { useSite } from '../api/site';
import { ContactFields } from './ContactFields';
import { ContactSent } from './ContactSent';
import { type ContactErrors, failureText, problemsOf, tooManyText } from './contactRules';
import { Icon } from './Icon';

type ContactFormProps = { form: ContactProps['form'] };

/** A plain form until the page is hydrated; afterwards the same fields, sent without leaving the page. */
export function ContactForm({ form }: ContactFormProps) {
  const site = useSite();
  const element = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<ContactErrors>(form.errors);
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(form.sent);
  const [attempts, setAttempts] = useState(0);

  // Before hydration the browser's own checks are all there is; afterwards ours stand at the fields.
  useEffect(() => {
    if (element.current) element.current.noValidate = true;
  }, []);

  useEffect(() => {
    if (attempts > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);

  function show(found: ContactErrors) {
    setErrors(found);
    setAttempts((count) => count + 1);
  }

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const { website, ...values } = readForm(event.currentTarget);
    const found = problemsOf(values);
    if (Object.keys(found).length > 0) return show(found);
    setBusy(true);
    setErrors({});
    try {
      await post('/contact', { ...values, website });
      setAttempts((count) => count + 1);
      setSent(true);
    } catch (error) {
      show(errorsOf(error, site.email));
    } finally {
      setBusy(false);
    }
  }

  if (sent) return <ContactSent takeFocus={attempts > 0} onAgain={() => setSent(false)} />;
  return (
    <form
      ref={element}
      className="contact-form"
      method="post"
      action="/contact"
      onSubmit={send}
      aria-busy={busy}
    >
      <h2 className="contact-form__title">Send us a message</h2>
      <p className="contact-form__legend">Fields marked * are required.</p>
      <ContactFields values={form.values} errors={errors} />
      <div className="contact-form__trap" aria-hidden="true">
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
      <button className="button" type="submit" aria-disabled={busy}>
        {busy ? 'Sending…' : 'Send message'}
      </button>
    </form>
  );
}

function readForm(form: HTMLFormElement): ContactValues & { website: string } {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    name: text('name'),
    email: text('email'),
    subject: text('subject'),
    message: text('message'),
    website: text('website'),
  };
}

function errorsOf(error: unknown, email: string): ContactErrors {
  if (!(error instanceof ApiProblem)) return { form: failureText(null, '', email) };
  const fields = (error.errors ?? {}) as ContactErrors;
  if (Object.keys(fields).length > 0) return { form: 'Please correct the marked fields.', ...fields };
  if (error.status === 429) return { form: tooManyText(error.retryAfterS ?? 0) };
  return { form: failureText(error.status, error.detail, email) };
}

import { useEffect, useState } from 'react';
import { useSession } from '../api/auth';
import { post } from '../api/client';
import { useSite } from '../api/site';
import { fillIn } from '../browser/forms/fillIn';
import type { ContactProps, ContactValues } from '../contracts/schema';
import { FormError } from '../forms/call/FormError';
import { useCallForm } from '../forms/call/useCallForm';
import { TextField } from '../forms/TextField';
import { Button } from '../ui/controls/Button';
import { ContactSent } from './ContactSent';
import { type ContactErrors, contactErrors, failureText, LIMITS, MIN_MESSAGE_LENGTH } from './contactRules';

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

type ContactFieldsProps = { values: ContactValues; errors: ContactErrors };

function ContactFields({ values, errors }: ContactFieldsProps) {
  useSenderFilledIn();
  return (
    <>
      <div className="contact-form__pair">
        <TextField
          id="contact-name"
          name="name"
          label="Name"
          autoComplete="name"
          maxLength={LIMITS.name}
          defaultValue={values.name}
          error={errors.name}
          required
        />
        <TextField
          id="contact-email"
          name="email"
          type="email"
          label="Email"
          autoComplete="email"
          maxLength={LIMITS.email}
          defaultValue={values.email}
          error={errors.email}
          required
        />
      </div>
      <TextField
        id="contact-subject"
        name="subject"
        label="Subject"
        autoComplete="off"
        maxLength={LIMITS.subject}
        defaultValue={values.subject}
        error={errors.subject}
        required
      />
      <TextField
        id="contact-message"
        name="message"
        label="Message"
        hint="For an order, add its number; for a lesson, the names of course and lesson."
        rows={7}
        autoComplete="off"
        minLength={MIN_MESSAGE_LENGTH}
        maxLength={LIMITS.message}
        defaultValue={values.message}
        error={errors.message}
        required
      />
    </>
  );
}

/** Fills in who is signed in, where nothing was typed yet. The page itself is the same for everyone. */
function useSenderFilledIn(): void {
  const learner = useSession()?.learner;
  useEffect(() => {
    if (!learner) return;
    fillIn('contact-name', learner.name);
    fillIn('contact-email', learner.email);
  }, [learner]);
}

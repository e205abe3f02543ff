import { useEffect } from 'react';
import { useSession } from '../api/auth';
import { fillIn } from '../browser/forms/fillIn';
import type { ContactValues } from '../contracts/schema';
import { TextField } from '../forms/TextField';
import { type ContactErrors, LIMITS, MIN_MESSAGE_LENGTH } from './contactRules';

type ContactFieldsProps = { values: ContactValues; errors: ContactErrors };

export function ContactFields({ values, errors }: ContactFieldsProps) {
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

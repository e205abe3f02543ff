import type { ContactValues } from '../api/pageProps';
import { type ContactErrors, LIMITS, SHORTEST_MESSAGE } from './contactRules';
import { Field } from './Field';

type ContactFieldsProps = { values: ContactValues; errors: ContactErrors };

export function ContactFields({ values, errors }: ContactFieldsProps) {
  return (
    <>
      <div className="contact-form__pair">
        <Field
          id="contact-name"
          name="name"
          label="Name"
          autoComplete="name"
          maxLength={LIMITS.name}
          defaultValue={values.name}
          error={errors.name}
          required
        />
        <Field
          id="contact-email"
          name="email"
          type="email"
          label="E-mail"
          autoComplete="email"
          maxLength={LIMITS.email}
          defaultValue={values.email}
          error={errors.email}
          required
        />
      </div>
      <Field
        id="contact-subject"
        name="subject"
        label="Subject"
        autoComplete="off"
        maxLength={LIMITS.subject}
        defaultValue={values.subject}
        error={errors.subject}
        required
      />
      <Field
        id="contact-message"
        name="message"
        label="Message"
        hint="For an order, add its number; for a lesson, the names of course and lesson."
        rows={7}
        autoComplete="off"
        minLength={SHORTEST_MESSAGE}
        maxLength={LIMITS.message}
        defaultValue={values.message}
        error={errors.message}
        required
      />
    </>
  );
}

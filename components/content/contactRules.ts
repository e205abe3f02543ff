import type { ApiProblem } from '../api/client';
import type { ContactValues } from '../contracts/schema';
import type { FieldErrors } from '../forms/call/callOutcome';

export type ContactErrors = FieldErrors;

/** The host checks again with the same limits; checking here only saves a request. */
export const LIMITS = { name: 120, email: 254, subject: 160, message: 5000 } as const;
export const MIN_MESSAGE_LENGTH = 10;

/** One sentence for each invalid field; empty when all are valid. */
export function contactErrors(values: ContactValues): ContactErrors {
  const errors: ContactErrors = {};
  if (!values.name.trim()) errors.name = 'Enter your name.';
  if (!values.email.trim()) errors.email = 'Enter your email address, so that we can answer.';
  else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(values.email.trim())) {
    errors.email = 'Enter an email address in the form name@example.com.';
  }
  if (!values.subject.trim()) errors.subject = 'Enter what your message is about.';
  if (values.message.trim().length < MIN_MESSAGE_LENGTH) {
    errors.message = `Write at least ${MIN_MESSAGE_LENGTH} characters, so that we know how to help.`;
  }
  return errors;
}

/** The message for too many messages; the host's form has the same text. */
export function tooManyText(retryAfterS: number): string {
  const minutes = Math.max(1, Math.ceil(retryAfterS / 60));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `You have sent several messages in a short time. Wait ${wait}, then send this one again; your text is kept.`;
}

/** The error of the whole form, shown above the button. */
export function failureText({ status, detail, errors, retryAfterS }: ApiProblem, email: string): string {
  if (Object.keys(errors).length > 0) return 'Please correct the marked fields.';
  if (status === 429) return tooManyText(retryAfterS ?? 0);
  if (status >= 400 && status < 500 && detail) return detail;
  return `Your message was not sent, and nothing you typed is lost. Check your connection and press Send again, or write to ${email}.`;
}

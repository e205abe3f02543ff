import type { ContactValues } from '../api/pageProps';

export type ContactErrors = Partial<Record<keyof ContactValues | 'form', string>>;

/** The host checks again with the same limits; these only spare the round trip. */
export const LIMITS = { name: 120, email: 254, subject: 160, message: 5000 } as const;
export const SHORTEST_MESSAGE = 10;

/** One sentence for each field that needs another look; empty when all is well. */
export function problemsOf(values: ContactValues): ContactErrors {
  const errors: ContactErrors = {};
  if (!values.name.trim()) errors.name = 'Enter your name.';
  if (!values.email.trim()) errors.email = 'Enter your e-mail address, so that we can answer.';
  else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(values.email.trim())) {
    errors.email = 'Enter an e-mail address in the form name@example.com.';
  }
  if (!values.subject.trim()) errors.subject = 'Enter what your message is about.';
  if (values.message.trim().length < SHORTEST_MESSAGE) {
    errors.message = `Write at least ${SHORTEST_MESSAGE} characters, so that we know how to help.`;
  }
  return errors;
}

/** Beyond the limit of messages: when to go on, and that nothing is lost; the host's form says the same. */
export function tooManyText(retryAfterS: number): string {
  const minutes = Math.max(1, Math.ceil(retryAfterS / 60));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `You have sent several messages in a short time. Wait ${wait}, then send this one again; your text is kept.`;
}

/** What went wrong and what to do about it, for the line above the button. */
export function failureText(status: number | null, detail: string, email: string): string {
  if (status !== null && status >= 400 && status < 500 && detail) return detail;
  return `Your message was not sent, and nothing you typed is lost. Check your connection and press Send again, or write to ${email}.`;
}

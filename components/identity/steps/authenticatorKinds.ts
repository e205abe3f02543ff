import type { AuthenticatorKind } from '../../api/identity';
import type { IconName } from '../../ui/Icon';

export const KIND_ICONS: Record<AuthenticatorKind, IconName> = {
  password: 'key',
  email: 'mail',
  phone: 'speech',
  app: 'phone',
  question: 'info',
  verify: 'shield',
  webauthn: 'person',
};

/** Short descriptions of the kinds. */
export const KIND_NOTES: Record<AuthenticatorKind, string> = {
  password: 'Something that only you know',
  email: 'We send you a code',
  phone: 'We send you a code',
  app: 'A new code every 30 seconds, also without a network',
  question: 'An answer that only you know',
  verify: 'Approve it with one touch on your phone',
  webauthn: 'Fingerprint, face, screen lock or security key',
};

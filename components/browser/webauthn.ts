/** Options as JSON: binary members are base64url (docs/contracts.md, "identity"). */
export type JsonOptions = Record<string, unknown>;
export type PasskeyResponse = Record<'clientData', string> &
  Partial<Record<'attestation' | 'authenticatorData' | 'signatureData', string>>;

/** Why no security key or passkey can be used here, as a sentence; null when one can. */
export function passkeyProblem(): string | null {
  const host = window.location.hostname;
  if (/^[\d.]+$|:/.test(host))
    return `Not available here: a passkey belongs to a site's name, and this one was opened by its number, ${host}.`;
  if (!window.isSecureContext) return 'Not available here: passkeys need a secure connection (https).';
  if (!('PublicKeyCredential' in window)) return 'Not available here: this browser knows no passkeys.';
  return null;
}

/** Creates a passkey. Rejects as navigator.credentials does: cancelled, timed out, or already registered. */
export async function createPasskey(options: JsonOptions): Promise<PasskeyResponse> {
  const publicKey = decoded(options) as unknown as PublicKeyCredentialCreationOptions;
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return { clientData: encode(response.clientDataJSON), attestation: encode(response.attestationObject) };
}

/** Gets a signature of an existing passkey. Rejects as navigator.credentials does. */
export async function getPasskey(options: JsonOptions): Promise<PasskeyResponse> {
  const publicKey = decoded(options) as unknown as PublicKeyCredentialRequestOptions;
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    clientData: encode(response.clientDataJSON),
    authenticatorData: encode(response.authenticatorData),
    signatureData: encode(response.signature),
  };
}

/** The browser's error as a sentence that says what to do. */
export function passkeyFailure(cause: unknown): string {
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'InvalidStateError') return 'This key is registered already. Use another one.';
  if (name === 'SecurityError') return 'The browser refuses passkeys at this address.';
  if (name === 'NotSupportedError') return 'This device has no kind of key that is accepted here.';
  return 'That was cancelled or took too long. Try again when your key is at hand.';
}

function decoded(options: JsonOptions): JsonOptions {
  const { challenge, user, excludeCredentials, allowCredentials } = options;
  return {
    ...options,
    challenge: bytesOf(challenge),
    ...(isRecord(user) ? { user: { ...user, id: bytesOf(user.id) } } : {}),
    ...(excludeCredentials ? { excludeCredentials: withBytes(excludeCredentials) } : {}),
    ...(allowCredentials ? { allowCredentials: withBytes(allowCredentials) } : {}),
  };
}

function withBytes(list: unknown): unknown[] {
  return Array.isArray(list) ? list.filter(isRecord).map((item) => ({ ...item, id: bytesOf(item.id) })) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Both alphabets of base64, with and without padding. */
export function bytesOf(text: unknown): Uint8Array<ArrayBuffer> {
  const plain = atob(String(text).replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, ''));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

export function encode(buffer: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

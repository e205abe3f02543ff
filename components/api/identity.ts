import { callAddress, get, post } from './client';

/** docs/wire.md, "identity: browser ⇄ host". */
export type Area = 'learner' | 'organisation' | 'admin';
export type FlowName = 'authenticate' | 'register' | 'recoverPassword' | 'unlockAccount';
export type AuthenticatorKind = 'password' | 'email' | 'phone' | 'app' | 'question' | 'verify' | 'webauthn';
export type InputType = 'text' | 'password' | 'email' | 'tel' | 'code' | 'boolean' | 'choice' | 'hidden';

export type StepOption = {
  value: string;
  label: string;
  kind: AuthenticatorKind | null;
  inputs: StepInput[];
};

export type StepInput = {
  name: string;
  label: string;
  type: InputType;
  required: boolean;
  value: string | boolean | null;
  minLength: number | null;
  maxLength: number | null;
  autocomplete: string | null;
  options: StepOption[] | null;
};

/** `lowercase` and the like: at least one of them; 0, false or absent asks for none. */
export type Rules = Partial<{
  minLength: number;
  lowercase: number | boolean;
  uppercase: number | boolean;
  number: number | boolean;
  symbol: number | boolean;
  excludeUsername: boolean;
}>;

export type AuthenticatorData = Partial<{
  qrcode: string;
  secret: string;
  contact: string;
  questions: { key: string; question: string }[];
  question: string;
  activation: Record<string, unknown>;
  challenge: Record<string, unknown>;
  correctAnswer: string | number;
  rules: Rules;
}>;

export type Step = {
  name: string;
  inputs: StepInput[];
  authenticator: { kind: AuthenticatorKind; label: string; data: AuthenticatorData | null } | null;
  poll: { everyMs: number } | null;
  href: string | null;
  /** Names another provider behind redirect-idp. */
  label?: string | null;
};

export type Message = {
  key: string;
  text: string;
  kind: 'error' | 'warning' | 'info';
  field: string | null;
};

export type Transaction = {
  status: 'PENDING' | 'SUCCESS' | 'TERMINAL' | 'CANCELED';
  flow: FlowName;
  area: Area;
  returnTo: string;
  username: string | null;
  /** The first is the one to draw, the others are ways out of it. */
  steps: Step[];
  messages: Message[];
  canCancel: boolean;
  canResend: boolean;
  redirect: string | null;
  retryAfterMs: number | null;
  expiresAt: string;
};

export type Beginning = { flow: FlowName; returnTo: string; area: Area; username?: string; token?: string };
export type Values = Record<string, string | boolean>;

export const startFlow = (beginning: Beginning) => post<Transaction>('/auth/idx/start', beginning);
export const resumeFlow = () => get<Transaction>('/auth/idx');
export const proceedFlow = (step: string, values: Values) =>
  post<Transaction>('/auth/idx/proceed', { step, values });
export const pollFlow = () => post<Transaction>('/auth/idx/poll', {});
export const resendCode = () => post<Transaction>('/auth/idx/resend', {});
export const cancelFlow = () => post<Transaction>('/auth/idx/cancel', {});

export type Credentials = {
  username: string;
  password: string;
  returnTo: string;
  area: Area;
  fingerprint?: string;
};

/** Where the browser goes next. Rejects with ApiProblem; a 409 names `providerStatus` and `flow`. */
export const signIn = (credentials: Credentials) => post<{ redirect: string }>('/auth/login', credentials);
export const signOut = () => post<{ redirect: string }>('/auth/logout', {});

export type Provider = {
  origin: string;
  /** Address of the fingerprint frame. */
  frame: string | null;
  hasAuthn: boolean;
  hasRegistration: boolean;
  isReachable: boolean;
};

export const getProvider = () => get<Provider>('/auth/provider');

export type SignedIn = {
  learner: {
    id: number;
    email: string;
    name: string;
    area: Area;
    roles: string[];
    isRestricted: boolean;
    studentNumber: string | null;
  };
  expiresAt: string;
};

export const getSession = () => get<SignedIn>('/auth/session');

/** The provider's own sign-in page, for providers that take no passwords from others and for signing in again. */
export function providersPage(wish: { returnTo: string; area?: Area; maxAge?: number }): string {
  const query = new URLSearchParams({ returnTo: wish.returnTo });
  if (wish.area) query.set('area', wish.area);
  if (wish.maxAge !== undefined) query.set('maxAge', String(wish.maxAge));
  return `${callAddress('/auth/start')}?${query}`;
}

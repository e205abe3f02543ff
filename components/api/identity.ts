import type {
  AboutProvider,
  Authenticator,
  FlowMessage,
  Input,
  Login,
  Option,
  PasswordRules,
  ProceedFlow,
  RedirectTo,
  SignedIn,
  StartFlow,
  Transaction,
} from '../contracts/schema';
import { callAddress, get, post } from './client';

/** docs/contracts.md, "identity: browser ⇄ host". */
export type { Step, Transaction } from '../contracts/schema';
export type StepInput = Input;
export type StepOption = Option;
export type Message = FlowMessage;
export type Area = Transaction['area'];
export type FlowName = Transaction['flow'];
export type AuthenticatorKind = Authenticator['kind'];
export type AuthenticatorData = Authenticator['data'];
/** `lowercase` and the like: the minimum count; 0, false or absent means none. */
export type Rules = PasswordRules;
export type FlowStart = StartFlow & Required<Pick<StartFlow, 'returnTo' | 'area'>>;
export type Values = ProceedFlow['values'];

export const startFlow = (flowStart: FlowStart) => post<Transaction>('/auth/idx/start', flowStart);
export const resumeFlow = () => get<Transaction>('/auth/idx');
export const proceedFlow = (step: string, values: Values) =>
  post<Transaction>('/auth/idx/proceed', { step, values });
export const pollFlow = () => post<Transaction>('/auth/idx/poll', {});
export const resendCode = () => post<Transaction>('/auth/idx/resend', {});
export const cancelFlow = () => post<Transaction>('/auth/idx/cancel', {});

export type Credentials = Login & Required<Pick<Login, 'returnTo' | 'area'>>;

/** Returns the address that the browser loads next. Rejects with ApiProblem; a 409 names `providerStatus` and `flow`. */
export const signIn = (credentials: Credentials) => post<SignedIn>('/auth/login', credentials);
export const signOut = () => post<RedirectTo>('/auth/logout', {});

export type Provider = AboutProvider;

export const getProvider = () => get<Provider>('/auth/provider');

type ProviderPageOptions = {
  returnTo: string;
  area?: Area;
  maxAge?: number;
  acrValues?: string;
  access?: 'account';
};

/** Address of the provider's own sign-in page: for providers without the authn API, and for a renewed sign-in. */
export function providerPage(options: ProviderPageOptions): string {
  const query = new URLSearchParams({ returnTo: options.returnTo });
  if (options.area) query.set('area', options.area);
  if (options.maxAge !== undefined) query.set('maxAge', String(options.maxAge));
  if (options.acrValues) query.set('acrValues', options.acrValues);
  if (options.access) query.set('access', options.access);
  return `${callAddress('/auth/start')}?${query}`;
}

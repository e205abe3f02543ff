import type {
  Added,
  Challenge,
  DeleteAccount,
  Email,
  EmailChallenge,
  Emails,
  OutcomeSchema,
  OwnSessions,
  Password,
  Phone,
  PhoneNumber,
  Phones,
  Profile,
  RedirectTo,
  SignInProps,
} from '../../contracts/schema';
import { ApiProblem, get, post, put, remove } from '../client';
import { createMutationQueue } from '../mutations/mutationQueue';

/** docs/contracts.md, "The account". Every call may reject with ApiProblem. */
export type { Attribute, Email, Phone, Profile } from '../../contracts/schema';
export type PhoneMethod = NonNullable<PhoneNumber['method']>;
export type PasswordState = Password;

const id = encodeURIComponent;

export const getProfile = () => get<Profile>('/account/profile');
export const putProfile = (profile: Profile['profile']) =>
  putChange<Profile>('/account/profile', { profile });

export const getEmails = async () => (await get<Emails>('/account/emails')).emails;
export const addEmail = (email: string, isPrimary: boolean) =>
  postChange<EmailChallenge>('/account/emails', { email, isPrimary });
export const removeEmail = (email: Email) => removeChange<object>(`/account/emails/${id(email.id)}`, {});
export const challengeEmail = (emailId: string) =>
  postChange<Challenge>(`/account/emails/${id(emailId)}/challenge`, {});
export const makePrimary = (emailId: string) =>
  putChange<EmailChallenge>(`/account/emails/${id(emailId)}/primary`, {});

export async function verifyEmail(emailId: string, challengeId: string, code: string): Promise<Email[]> {
  const path = `/account/emails/${id(emailId)}/challenge/${id(challengeId)}/verify`;
  return (await postChange<Emails>(path, { code })).emails;
}

export const getPhones = async () => (await get<Phones>('/account/phones')).phones;
export const addPhone = (number: string, method: PhoneMethod) =>
  postChange<Added>('/account/phones', { number, method });
export const removePhone = (phone: Phone) => removeChange<object>(`/account/phones/${id(phone.id)}`, {});
export const challengePhone = (phoneId: string, method: PhoneMethod) =>
  postChange<object>(`/account/phones/${id(phoneId)}/challenge`, { method });

export async function verifyPhone(phoneId: string, code: string): Promise<Phone[]> {
  return (await postChange<Phones>(`/account/phones/${id(phoneId)}/verify`, { code })).phones;
}

/** Forgets the addresses with which the next checkout would begin. */
export const forgetAddresses = () => removeChange<OutcomeSchema>('/account/addresses', {});

export const getPassword = () => get<PasswordState>('/account/password');
export const enrollPassword = (password: string) =>
  postChange<PasswordState>('/account/password', { password });
export const changePassword = (password: string, currentPassword: string) =>
  putChange<PasswordState>('/account/password', { password, currentPassword });
export const removePassword = () => removeChange<PasswordState>('/account/password', {});

// These two may end the sign-in, and no change waits for them.
export const endSession = (session: SignInProps) =>
  remove<OwnSessions>(`/account/sessions/${id(session.id)}`, {});

export const exportAccount = () => get<unknown>('/account/export');
export const deleteAccount = (request: Required<DeleteAccount>) => remove<RedirectTo>('/account', request);

const queue = createMutationQueue<never>();

/**
 * A change of the learner's profile, after those before it: the provider replaces whole sets, and a later change builds
 * on the one before it. Rejects as the call does, and when the sign-in changes before its answer.
 */
async function change<T>(call: () => Promise<T>): Promise<T> {
  // A 401 may be the provider's, and the sign-in here goes on: the caller distinguishes them.
  const [result] = (await queue.add({ send: () => Promise.allSettled([call()]) })) ?? [];
  if (!result) throw new ApiProblem({ status: 0, title: 'Your sign-in has changed. Load the page again.' });
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

const postChange = <T>(path: string, body: unknown) => change(() => post<T>(path, body));
const putChange = <T>(path: string, body: unknown) => change(() => put<T>(path, body));
const removeChange = <T>(path: string, body: unknown) => change(() => remove<T>(path, body));

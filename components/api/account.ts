import { ApiProblem, get, post, put, remove } from './client';
import type { Area } from './identity';

/** docs/wire.md, "The account". Every call may reject with ApiProblem. */
export type Attribute = {
  name: string;
  title: string;
  required: boolean;
  isReadOnly: boolean;
  minLength: number | null;
  maxLength: number | null;
};
export type Profile = { profile: Record<string, string | null>; attributes: Attribute[] };
export type Email = { id: string; email: string; isPrimary: boolean; isVerified: boolean };
export type Phone = { id: string; number: string; isVerified: boolean };
export type PhoneMethod = 'SMS' | 'CALL';
export type PasswordState = { status: 'NOT_ENROLLED' | 'ACTIVE'; lastUpdated: string | null };
export type OwnSession = {
  id: string;
  isThis: boolean;
  area: Area;
  browser: string;
  createdAt: string;
  expiresAt: string;
};

const id = encodeURIComponent;

export const getProfile = () => get<Profile>('/account/profile');
export const putProfile = (profile: Profile['profile']) => put<Profile>('/account/profile', { profile });

export const getEmails = async () => (await get<{ emails: Email[] }>('/account/emails')).emails;
export const addEmail = (email: string, isPrimary: boolean) =>
  post<{ email: Email; challengeId: string }>('/account/emails', { email, isPrimary });
export const removeEmail = (email: Email) => remove<object>(`/account/emails/${id(email.id)}`, {});
export const challengeEmail = (emailId: string) =>
  post<{ challengeId: string; expiresAt: string }>(`/account/emails/${id(emailId)}/challenge`, {});
export const makePrimary = (emailId: string) =>
  put<{ email: Email; challengeId: string }>(`/account/emails/${id(emailId)}/primary`, {});

export async function verifyEmail(emailId: string, challengeId: string, code: string): Promise<Email[]> {
  const path = `/account/emails/${id(emailId)}/challenge/${id(challengeId)}/verify`;
  return (await post<{ emails: Email[] }>(path, { code })).emails;
}

export const getPhones = async () => (await get<{ phones: Phone[] }>('/account/phones')).phones;
export const addPhone = (number: string, method: PhoneMethod) =>
  post<{ phone: Phone }>('/account/phones', { number, method });
export const removePhone = (phone: Phone) => remove<object>(`/account/phones/${id(phone.id)}`, {});
export const challengePhone = (phoneId: string, method: PhoneMethod) =>
  post<object>(`/account/phones/${id(phoneId)}/challenge`, { method });

export async function verifyPhone(phoneId: string, code: string): Promise<Phone[]> {
  return (await post<{ phones: Phone[] }>(`/account/phones/${id(phoneId)}/verify`, { code })).phones;
}

export const getPassword = () => get<PasswordState>('/account/password');
export const enrollPassword = (password: string) => post<PasswordState>('/account/password', { password });
export const changePassword = (password: string, currentPassword: string) =>
  put<PasswordState>('/account/password', { password, currentPassword });
export const removePassword = () => remove<PasswordState>('/account/password', {});

export const getSessions = async () => (await get<{ sessions: OwnSession[] }>('/account/sessions')).sessions;
export const endSession = async (session: OwnSession) =>
  (await remove<{ sessions: OwnSession[] }>(`/account/sessions/${id(session.id)}`, {})).sessions;

export const exportAccount = () => get<unknown>('/account/export');
export const deleteAccount = (confirm: string) => remove<{ redirect: string }>('/account', { confirm });

/** Seconds since the last sign-in that the provider would accept, when it wants a newer one; else null. */
export function staleSignIn(problem: unknown): number | null {
  if (!(problem instanceof ApiProblem) || problem.status !== 403) return null;
  if (problem.detail !== 'insufficient_authentication_context') return null;
  const maxAge = Number(problem.members.maxAge);
  return Number.isFinite(maxAge) && maxAge >= 0 ? maxAge : 0;
}

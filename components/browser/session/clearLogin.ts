import { COOKIES } from '../storage/storageKeys';

/** Removes the sign-in; other data stays. */
export function clearLogin(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API exists on secure origins only
  document.cookie = `${COOKIES.login}=; path=/; max-age=0; SameSite=Lax`;
}

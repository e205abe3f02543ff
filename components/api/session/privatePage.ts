import { useCallback, useEffect, useRef } from 'react';
import { clearLogin } from '../../browser/session/clearLogin';
import { type Session, saveSession, serverNow } from '../../browser/session/session';
import { accessToken } from '../../browser/storage/cookies';
import { useNavigate } from '../../browser/useNavigate';
import type { PageData } from '../../contracts/schema';
import { refreshAuth, useAuth } from '../auth';
import { fetchShown } from '../pages';
import { useShop } from '../site';
import { endSignIn } from './endSignIn';

/**
 * Loads the data of the page on screen again, for after a change. When the sign-in has ended meanwhile, the page stays
 * and says so: what was typed is not lost. An answer that comes after another page does nothing. Rejects when no
 * response arrives.
 */
export function useRefresh(): () => Promise<void> {
  const { site, replaceData } = useShop();
  const navigate = useNavigate();
  return useCallback(async () => {
    const page = await fetchShown(site.build);
    if (!page) return;
    if (!('location' in page)) await replaceData?.(page);
    else if (page.location.startsWith('/login?')) endSignIn();
    else navigate(page.location, { replace: true });
  }, [site, replaceData, navigate]);
}

/**
 * The session that a private page came with; null: nobody is signed in. When the sign-in ends, here or in another tab,
 * the page's data is deleted; when somebody signs in, theirs is loaded. `staysReadable`: after the session's time the
 * data stays, until the page is left or somebody signs in.
 */
export function usePageSession(staysReadable = false): Session | null {
  const { page, replaceData } = useShop();
  const { learner, isChecked } = useAuth();
  const refresh = useRefresh();
  const own = page?.session ?? null;
  const isOver =
    staysReadable && own !== null && learner === null && Date.parse(own.expiresAt) <= serverNow();
  const isOwn = own !== null && (isOver || own.learner.id === learner?.id);
  const tokenOfRefresh = useRef<string | null>(null);

  useEffect(() => {
    const token = accessToken();
    if (token === null || !page) return;
    if (page.session) return saveSession(page.session, token);
    // Null: the host does not know the token. Undefined: the data was deleted.
    if (page.session === null) clearLogin();
    refreshAuth();
  }, [page]);

  useEffect(() => {
    // Before the check, and while React hydrates, nobody counts as signed in.
    if (!page || isOwn || !isChecked) return;
    if (own) void replaceData?.(withoutData(page));
    const token = accessToken();
    // Once for each sign-in: a host of the build before answers without a session.
    if (!learner || token === null || token === tokenOfRefresh.current) return;
    tokenOfRefresh.current = token;
    refresh().catch(() => undefined);
  }, [page, own, isOwn, learner, isChecked, refresh, replaceData]);

  return isOwn ? own : null;
}

/** The page without anything personal. Also empties the given object, which the document's first page stays. */
function withoutData(page: PageData): PageData {
  const { title } = page.props as { title?: string };
  page.props = { title };
  delete page.session;
  return { ...page };
}

import { useEffect } from 'react';
import { followOtherTabs } from '../../browser/session/otherTabs';
import { type Session, saveSession } from '../../browser/session/session';
import { refreshAuth } from '../auth';

/** Who is signed in to an area: the session that came with the page; other tabs' sign-ins and sign-outs are followed. */
export function useAreaSession(known: Session | null | undefined): void {
  useEffect(() => {
    const token = refreshAuth().accessToken;
    if (token && known) saveSession(known, token);
    refreshAuth(true);
    return followOtherTabs(() => refreshAuth());
  }, [known]);
}

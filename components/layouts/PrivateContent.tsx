import type { ReactNode } from 'react';
import { SessionEnd } from '../account/SessionEnd';
import { SignInFirst } from '../account/SignInFirst';
import { usePageSession } from '../api/session/privatePage';
import { returnAddress } from '../browser/address';
import type { Session } from '../browser/session/session';

type PrivateContentProps<T> = {
  /** The page's private data; undefined when it came without a session. */
  data: T | undefined;
  /** It stays on screen when the session's time is over, as a lesson that is being read does. */
  staysReadable?: boolean;
  /** Shown to guests instead of the way to the sign-in. */
  signedOut?: ReactNode;
  children: (data: T, session: Session) => ReactNode;
};

/** A private page: its content for whoever is signed in, else the way to the sign-in and back. */
export function PrivateContent<T>({ data, staysReadable, signedOut, children }: PrivateContentProps<T>) {
  const session = usePageSession(staysReadable);
  if (!session || data === undefined) return signedOut ?? <SignInFirst returnTo={returnAddress()} />;
  return (
    <>
      <SessionEnd key={session.expiresAt} session={session} />
      {children(data, session)}
    </>
  );
}

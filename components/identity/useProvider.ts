import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/client';
import { getProvider, type Provider } from '../api/identity';

type ProviderState = {
  /** Null until it is known, and where it cannot be asked. */
  provider: Provider | null;
  /** What the hidden frame says of this device; "" without one. Resolves at the latest when the frame's time is over. */
  fingerprint: () => Promise<string>;
  takeFingerprint: (answer: Promise<string>) => void;
};

/** What the sign-in provider can do. The form stands before this is known: most of the time it changes nothing. */
export function useProvider(): ProviderState {
  const [provider, setProvider] = useState<Provider | null>(null);
  const answer = useRef(Promise.resolve(''));
  useEffect(() => {
    getProvider().then(setProvider, (problem: unknown) => {
      if (!(problem instanceof ApiProblem)) throw problem;
    });
  }, []);
  return {
    provider,
    fingerprint: () => answer.current,
    takeFingerprint: (promise) => {
      answer.current = promise;
    },
  };
}

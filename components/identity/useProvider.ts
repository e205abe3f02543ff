import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/client';
import { getProvider, type Provider } from '../api/identity';

type ProviderState = {
  /** Null until it is loaded, and when it cannot be loaded. */
  provider: Provider | null;
  /** The device's fingerprint from the hidden frame; "" without one. Resolves within the frame's time limit. */
  fingerprint: () => Promise<string>;
  setFingerprint: (fingerprintPromise: Promise<string>) => void;
};

/** The features of the sign-in provider. The form is shown before they are loaded: they rarely change it. */
export function useProvider(): ProviderState {
  const [provider, setProvider] = useState<Provider | null>(null);
  const fingerprintPromise = useRef(Promise.resolve(''));
  useEffect(() => {
    getProvider().then(setProvider, (problem: unknown) => {
      if (!(problem instanceof ApiProblem)) throw problem;
    });
  }, []);
  return {
    provider,
    fingerprint: () => fingerprintPromise.current,
    setFingerprint: (promise) => {
      fingerprintPromise.current = promise;
    },
  };
}

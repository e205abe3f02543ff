import { useEffect, useRef } from 'react';
import { requestFingerprint } from '../browser/fingerprint';

type FingerprintFrameProps = {
  src: string;
  origin: string;
  onRequest: (fingerprint: Promise<string>) => void;
};

/** The provider's hidden frame that identifies the device; sign-in waits for it for a limited time. */
export function FingerprintFrame({ src, origin, onRequest: onAsked }: FingerprintFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const request = useRef(onAsked);
  useEffect(() => {
    if (frame.current) request.current(fingerprint(frame.current, origin));
  }, [origin]);
  return (
    <iframe
      ref={frame}
      src={src}
      title="Device check"
      className="identity__frame"
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}

/** Failures are only logged; sign-in continues without a fingerprint (specification §8). */
async function fingerprint(frame: HTMLIFrameElement, origin: string): Promise<string> {
  try {
    return await requestFingerprint(frame, origin);
  } catch (failure) {
    // biome-ignore lint/suspicious/noConsole: it is only logged
    console.info(failure instanceof Error ? failure.message : String(failure));
    return '';
  }
}

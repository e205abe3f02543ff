import { useEffect, useRef } from 'react';
import { askFingerprint } from '../browser/fingerprint';

type FingerprintFrameProps = { src: string; origin: string; onAsked: (answer: Promise<string>) => void };

/** The provider's hidden frame that tells one device from another; sign-in waits for it, but not for ever. */
export function FingerprintFrame({ src, origin, onAsked }: FingerprintFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const tell = useRef(onAsked);
  useEffect(() => {
    if (frame.current) tell.current(fingerprint(frame.current, origin));
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

/** The failures are logged only, and sign-in goes on without (specification §8). */
async function fingerprint(frame: HTMLIFrameElement, origin: string): Promise<string> {
  try {
    return await askFingerprint(frame, origin);
  } catch (failure) {
    // biome-ignore lint/suspicious/noConsole: it is only logged
    console.info(failure instanceof Error ? failure.message : String(failure));
    return '';
  }
}

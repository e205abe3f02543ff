// Specification §9.
const PATIENCE_MS = 15_000;

export const NOT_SUPPORTED = 'Fingerprinting is not supported on this device';
export const TIMED_OUT = 'Fingerprinting timed out';

/**
 * Asks the provider's hidden frame for the device's fingerprint; only what that very frame says on that origin counts.
 * Rejects with one of the two texts above, or `No data` when the frame says something else.
 */
export function askFingerprint(frame: HTMLIFrameElement, origin: string): Promise<string> {
  const agent = navigator.userAgent;
  if (!agent || /windows phone|iemobile/i.test(agent)) return Promise.reject(new Error(NOT_SUPPORTED));
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      window.removeEventListener('message', heard);
    };
    const timer = setTimeout(() => {
      stop();
      reject(new Error(TIMED_OUT));
    }, PATIENCE_MS);
    const heard = (event: MessageEvent) => {
      if (event.source !== frame.contentWindow || event.origin !== origin) return;
      const message = messageOf(event.data);
      if (!message) return;
      if (message.type === 'FingerprintServiceReady') {
        frame.contentWindow?.postMessage(JSON.stringify({ type: 'GetFingerprint' }), origin);
        return;
      }
      stop();
      if (message.type === 'FingerprintAvailable') resolve(message.fingerprint ?? '');
      else reject(new Error('No data'));
    };
    window.addEventListener('message', heard);
  });
}

function messageOf(data: unknown): { type?: string; fingerprint?: string } | null {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

// Specification §9.
const WAIT_MS = 15_000;

export const NOT_SUPPORTED = 'Fingerprinting is not supported on this device';
export const TIMED_OUT = 'Fingerprinting timed out';

/**
 * Requests the device's fingerprint from the provider's hidden frame; only messages of that frame and origin count.
 * Rejects with one of the two texts above, or `No data` for any other message.
 */
export function requestFingerprint(frame: HTMLIFrameElement, origin: string): Promise<string> {
  const agent = navigator.userAgent;
  if (!agent || /windows phone|iemobile/i.test(agent)) return Promise.reject(new Error(NOT_SUPPORTED));
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
    };
    const timer = setTimeout(() => {
      stop();
      reject(new Error(TIMED_OUT));
    }, WAIT_MS);
    const onMessage = (event: MessageEvent) => {
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
    window.addEventListener('message', onMessage);
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

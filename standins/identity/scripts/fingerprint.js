{
  // The page that frames this one, when it is a registered site.
  const allowed = document.body.dataset.origins.split(' ');
  const origin = document.referrer ? new URL(document.referrer).origin : '';
  const say = (message) => window.parent.postMessage(JSON.stringify(message), origin);

  const parse = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  };

  const fingerprint = async () => {
    const traits = [
      navigator.userAgent,
      navigator.language,
      `${screen.width}x${screen.height}x${screen.colorDepth}`,
      Intl.DateTimeFormat().resolvedOptions().timeZone,
      navigator.hardwareConcurrency,
    ];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(traits.join('|')));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  };

  if (allowed.includes(origin)) {
    window.addEventListener('message', async (event) => {
      const asked = event.source === window.parent && event.origin === origin ? parse(event.data) : null;
      if (asked?.type === 'GetFingerprint') {
        say({ type: 'FingerprintAvailable', fingerprint: await fingerprint() });
      }
    });
    say({ type: 'FingerprintServiceReady' });
  }
}

import { useState } from 'react';
import type { AuthenticatorData } from '../api/identity';
import { copyText } from '../browser/leaving';
import { Icon } from '../ui/Icon';

/** What the app scans, and the same as text for a phone that cannot see this screen. */
export function AppSecret({ data }: { data: AuthenticatorData }) {
  return (
    <div className="app-secret">
      {data.qrcode && (
        <img
          className="app-secret__picture"
          src={data.qrcode}
          width={200}
          height={200}
          alt="QR code to scan with the app"
        />
      )}
      {data.secret && <SecretText secret={data.secret} />}
    </div>
  );
}

function SecretText({ secret }: { secret: string }) {
  const [said, setSaid] = useState('');

  async function copy() {
    setSaid((await copyText(secret)) ? 'Copied' : 'Select the key and copy it by hand.');
  }

  return (
    <div className="app-secret__text">
      <p className="field__hint">Cannot scan it? Type this key into the app:</p>
      <div className="app-secret__row">
        <code className="app-secret__key">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <button type="button" className="text-button" onClick={() => void copy()}>
          <Icon name="copy" />
          Copy key
        </button>
      </div>
      <p className="app-secret__said" role="status">
        {said}
      </p>
    </div>
  );
}

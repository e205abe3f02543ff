import { useState } from 'react';
import type { AuthenticatorData } from '../../api/identity';
import { copyText } from '../../browser/navigation';
import { Icon } from '../../ui/Icon';

/** The QR code that the app scans, and its secret as text. */
export function AuthenticatorSecret({ data }: { data: AuthenticatorData }) {
  return (
    <div className="authenticator-secret stack">
      {data.qrcode && (
        <img
          className="authenticator-secret__picture"
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
  const [status, setStatus] = useState('');

  async function copy() {
    setStatus((await copyText(secret)) ? 'Copied' : 'Select the key and copy it by hand.');
  }

  return (
    <div className="authenticator-secret__text">
      <p className="field__hint hint">Cannot scan it? Type this key into the app:</p>
      <div className="authenticator-secret__row row">
        <code className="authenticator-secret__key">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <button type="button" className="text-button" onClick={() => void copy()}>
          <Icon name="copy" />
          Copy key
        </button>
      </div>
      <p className="authenticator-secret__status" role="status">
        {status}
      </p>
    </div>
  );
}

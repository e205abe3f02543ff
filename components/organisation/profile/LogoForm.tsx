import { useState } from 'react';
import { putLogo, readLogo, sendLogo } from '../../api/organisation/logos';
import { useRefresh } from '../../api/session/privatePage';
import type { ImageStatus, Upload } from '../../contracts/schema';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { newUuid } from '../../model/uuid';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { FileUpload } from '../../ui/upload/FileUpload';

const MAX_BYTES = 8 * 2 ** 20;
const PAUSE_MS = 1000;

/** The logo of the organisation: the one of now, and another one from a picture. */
export function LogoForm({ logo, name }: { logo: string; name: string }) {
  const call = useCall();
  const refresh = useRefresh();
  const [upload, setUpload] = useState<Upload | null>(null);
  const [error, setError] = useState('');

  async function use(sent: Upload) {
    setError('');
    await call.run(async () => {
      const status = await whenReady(await sendLogo({ uploadId: sent.id, idempotencyKey: newUuid() }));
      if (status.image) await put(status.id);
      else setError(status.error ?? 'This picture cannot be used. Try another one.');
    });
  }

  async function put(jobId: number | null) {
    const { text } = await putLogo(jobId);
    void notify('success', text);
    setUpload(null);
    refresh().catch(() => undefined);
  }

  return (
    <section className="area-box area-form" aria-labelledby="logo-title">
      <h2 className="heading-m" id="logo-title">
        Logo
      </h2>
      {logo ? (
        <img className="organisation-logo" src={logo} alt={`Logo of ${name}`} width={224} height={64} />
      ) : (
        <p className="muted">There is no logo yet: your name stands in its place.</p>
      )}
      <CallError call={call} />
      <FileUpload
        key={logo}
        purpose="logo"
        label="New logo"
        accept="image/png,image/jpeg,image/webp"
        maxBytes={MAX_BYTES}
        hint="PNG, JPEG or WebP, up to 8 MiB and 24 megapixels. Nothing but the pixels stays."
        onDone={setUpload}
      />
      {error && (
        <p className="upload__error" role="alert">
          {error}
        </p>
      )}
      <p className="row button-row">
        {upload && (
          <Button isBusy={call.isBusy} busyText="Preparing…" onClick={() => void use(upload)}>
            Use this logo
          </Button>
        )}
        {logo && (
          <Button
            variant="quiet"
            isBusy={call.isBusy}
            busyText="Removing…"
            onClick={() => void call.run(() => put(null))}
          >
            Remove the logo
          </Button>
        )}
      </p>
    </section>
  );
}

/** The job of a picture once it has ended. Rejects with ApiProblem. */
async function whenReady(status: ImageStatus): Promise<ImageStatus> {
  let current = status;
  while (current.state === 'queued' || current.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    current = await readLogo(current.id);
  }
  return current;
}

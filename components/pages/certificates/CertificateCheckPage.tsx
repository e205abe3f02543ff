import type { CertificateCheckProps } from '../../contracts/schema';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';

/** A form for the code of a certificate, or for the address of its page. It works without JavaScript. */
export function CertificateCheckPage({ title, code, message }: CertificateCheckProps) {
  return (
    <article className="certificate">
      <h1 className="certificate__heading">{title}</h1>
      <p className="muted">The code stands on the certificate, beside its QR code.</p>
      <form className="certificate__form" action="/verify-certificate">
        <TextField
          id="certificate-code"
          name="code"
          label="Code or address"
          defaultValue={code}
          error={message || undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={300}
          required
        />
        <Button>Check</Button>
      </form>
    </article>
  );
}

import type { CertificateCheckProps } from '../../contracts/schema';
import { TextField } from '../../forms/TextField';
import { Button } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';

/** A form for the code of a certificate, or for the address of its page. It works without JavaScript. */
export function CertificateCheckPage({ code, message }: CertificateCheckProps) {
  return (
    <article className="certificate">
      {message ? <UnknownCode /> : <Welcome />}
      <form className="certificate__sheet certificate__form" action="/verify-certificate">
        <TextField
          id="certificate-code"
          name="code"
          label="Code or link"
          hint="22 characters, beside the QR code. Capital and small letters differ."
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
      {message && <UnknownCodeHelp />}
    </article>
  );
}

function Welcome() {
  return (
    <header>
      <h1 className="certificate__heading">Check a certificate</h1>
      <p>See who completed which course, when, and whether it still counts.</p>
    </header>
  );
}

function UnknownCode() {
  return (
    <header className="certificate__verdict certificate__verdict--unknown">
      <span className="certificate__sign">
        <Icon name="search" />
      </span>
      <div>
        <h1 className="certificate__heading">We cannot find this certificate</h1>
        <p>Type the code again, or paste the whole link that you were given.</p>
      </div>
    </header>
  );
}

function UnknownCodeHelp() {
  return (
    <section className="certificate__help" aria-labelledby="unknown-code-help">
      <h2 id="unknown-code-help">If it is still not found</h2>
      <ul>
        <li>Ask its holder for the link: it stands on the certificate’s page and in its PDF.</li>
        <li>A corrected certificate has a new code. The old one is still found here, and says so.</li>
        <li>
          <p>
            A certificate that is not found here was not issued by us. <a href="/contact">Write to us</a> if
            somebody shows you one.
          </p>
        </li>
      </ul>
    </section>
  );
}

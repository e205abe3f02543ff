import { useEffect, useRef } from 'react';
import styles from '../../../static/css/mail-preview.css?text';
import { type ActionBody, carryOut } from '../../api/admin/actions';
import { trustedHtml } from '../../browser/trustedHtml';
import type { MailTextProps } from '../../contracts/schema';
import { apiErrorText } from '../../forms/call/apiErrorText';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';
import { notify } from '../../ui/toasts/toasts';
import { useStyles } from '../../ui/useStyles';
import { Fold } from '../Fold';

type Mail = MailTextProps['mails'][number];
type MailPreviewsProps = {
  mails: Mail[];
  isFailed: boolean;
  test: MailTextProps['test'];
  /** What is typed. */
  read: () => ActionBody;
};

/** A mail as it would arrive, with examples as its values, and a button that sends it to whoever presses it. */
export function MailPreviews({ mails, isFailed, test, read }: MailPreviewsProps) {
  useStyles(styles);
  const call = useCall();
  const [first, ...others] = mails;

  async function send() {
    await call.run(async () => {
      try {
        const { text } = await carryOut(test, { words: read().words });
        void notify('success', text);
      } catch (problem) {
        void notify('error', apiErrorText(problem));
        throw problem;
      }
    });
  }

  return (
    <section className="mail-previews" aria-label="Preview">
      <div className="mail-previews__head">
        <h2 className="heading-m">Preview</h2>
        <Button variant="quiet" isBusy={call.isBusy} busyText="Sending…" onClick={() => void send()}>
          {test.button}
        </Button>
      </div>
      <p className="hint">The values are examples.</p>
      {isFailed && <p className="hint">The preview could not be loaded. It is tried again as you type.</p>}
      {first && <MailView mail={first} />}
      {others.map((mail) => (
        <Fold key={mail.case} title={mail.case}>
          <MailView mail={mail} />
        </Fold>
      ))}
    </section>
  );
}

function MailView({ mail: { subject, text, html, style: sheet } }: { mail: Mail }) {
  return (
    <>
      <p className="mail-previews__subject">
        <span className="muted">Subject</span> <strong dir="auto">{subject}</strong>
      </p>
      <MailHtml html={html} sheet={sheet} />
      <Fold title="Without HTML">
        <pre className="mail-previews__text" dir="auto">
          {text}
        </pre>
      </Fold>
    </>
  );
}

/** The HTML of a mail, which has styles of its own: neither it nor the page sees those of the other. */
function MailHtml({ html, sheet }: { html: string; sheet: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // Constructed sheets need no <style>, which the CSP would refuse.
    const adopted = new CSSStyleSheet();
    adopted.replaceSync(sheet.replaceAll(/\bbody\b/g, ':host'));
    root.adoptedStyleSheets = [adopted];
    root.innerHTML = trustedHtml(html);
  }, [html, sheet]);
  return <div ref={place} className="mail-previews__html" />;
}

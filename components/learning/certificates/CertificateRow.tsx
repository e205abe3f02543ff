import { useState } from 'react';
import { useSite } from '../../api/site';
import { copyText } from '../../browser/navigation';
import type { CertificateCard } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { isolated } from '../../model/isolated';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/controls/Button';
import { Icon } from '../../ui/Icon';
import { NameFormLater } from './NameFormLater';

type CertificateRowProps = { certificate: CertificateCard; heading: 'h2' | 'h3' };

/** A certificate of the learner: what it says, and where it can be shown. */
export function CertificateRow({ certificate, heading: Heading }: CertificateRowProps) {
  const { courseName, courseHref, holder, isNamePrintable, canCorrectName, courseId, renewableFrom } =
    certificate;
  const format = formatOf(useSite());
  return (
    <>
      <div className={`certificate-row__head certificate-row__head--${certificate.state}`}>
        <Icon name="award" />
        <div>
          <Heading className="certificate-row__course">
            <a href={courseHref}>{courseName}</a>
          </Heading>
          {certificate.state !== 'valid' && <Badge {...OVER[certificate.state]} />}
          <p className="hint">
            {isolated(holder)}
            {useDates(certificate)}
          </p>
        </div>
      </div>
      {certificate.reason && <p>{certificate.reason}</p>}
      {renewableFrom && (
        <p className="hint">
          {`From ${format.date(renewableFrom)} on, passing all quizzes of the course again renews it.`}
        </p>
      )}
      {!isNamePrintable && (
        <p className="hint">No font here can write this name: the PDF shows your student number instead.</p>
      )}
      <CertificateLinks certificate={certificate} />
      {canCorrectName && (
        <details className="certificate-row__correction">
          <summary>Correct the name</summary>
          <p className="hint">
            Once, within 30 days. The certificate gets another code, and the old one ends.
          </p>
          <NameFormLater courseId={courseId} name={holder} button="Replace the certificate" />
        </details>
      )}
    </>
  );
}

const OVER = {
  expired: { tone: 'warning', text: 'Expired' },
  revoked: { tone: 'bad', text: 'Revoked' },
} as const;

function useDates({ state, completedAt, expiresAt }: CertificateCard): string {
  const format = formatOf(useSite());
  const until =
    expiresAt && `${state === 'expired' ? 'expired on' : 'valid until'} ${format.date(expiresAt)}`;
  const parts = [`completed on ${format.date(completedAt)}`, state === 'revoked' ? 'revoked' : until];
  return ['', ...parts.filter(Boolean)].join(' · ');
}

function CertificateLinks({ certificate }: Pick<CertificateRowProps, 'certificate'>) {
  const { courseName, verifyHref, pdfHref, badgeHref, linkedInHref, code } = certificate;
  const [answer, setAnswer] = useState('');
  const address = useSite().origin + verifyHref;

  async function copy() {
    setAnswer((await copyText(address)) ? 'Copied.' : `Copying was refused. The link is ${address}`);
  }

  return (
    <>
      <p className="certificate-row__links row">
        <a className="button button--quiet" href={verifyHref} aria-label={`View certificate, ${courseName}`}>
          View certificate
        </a>
        {pdfHref && (
          <a
            className="button button--quiet"
            href={pdfHref}
            download={`certificate-${code}.pdf`}
            aria-label={`PDF to print, ${courseName}`}
          >
            PDF to print
          </a>
        )}
        {badgeHref && (
          <a href={badgeHref} download={`badge-${code}.jwt`} aria-label={`Badge file, ${courseName}`}>
            Badge file
          </a>
        )}
        {linkedInHref && (
          <a href={linkedInHref} rel="noreferrer" aria-label={`Add to LinkedIn, ${courseName}`}>
            Add to LinkedIn
          </a>
        )}
        {pdfHref && (
          <Button variant="text" label={`Copy the link, ${courseName}`} onClick={() => void copy()}>
            Copy the link
          </Button>
        )}
      </p>
      <p className="hint certificate-row__answer" role="status">
        {answer}
      </p>
    </>
  );
}

import type { CertificateList } from '../../contracts/schema';
import { CertificateRow } from './CertificateRow';
import { NameFormLater } from './NameFormLater';

type CertificateRowsProps = { certificates: CertificateList; heading?: 'h2' | 'h3' };

/** Certificates that wait for a name, then those that were issued. */
export function CertificateRows({
  certificates: { issued, unnamed },
  heading: Heading = 'h3',
}: CertificateRowsProps) {
  return (
    <ul className="certificate-rows">
      {unnamed.map(({ courseId, courseName, courseHref }) => (
        <li className="certificate-row" key={courseId}>
          <Heading className="certificate-row__course">
            <a href={courseHref}>{courseName}</a>
          </Heading>
          <p>You have completed this course. Which name shall stand on the certificate?</p>
          <NameFormLater courseId={courseId} button="Get the certificate" />
        </li>
      ))}
      {issued.map((certificate) => (
        <li className="certificate-row" key={certificate.code}>
          <CertificateRow certificate={certificate} heading={Heading} />
        </li>
      ))}
    </ul>
  );
}

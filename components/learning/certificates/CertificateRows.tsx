import type { CertificateList } from '../../contracts/schema';
import { CertificateRow } from './CertificateRow';
import { NameFormLater } from './NameFormLater';

type CertificateRowsProps = { certificates: CertificateList };

/** Certificates that wait for a name, then those that were issued. */
export function CertificateRows({ certificates: { issued, unnamed } }: CertificateRowsProps) {
  return (
    <ul className="certificate-rows">
      {unnamed.map(({ courseId, courseName, courseHref }) => (
        <li className="certificate-row" key={courseId}>
          <h3 className="certificate-row__course">
            <a href={courseHref}>{courseName}</a>
          </h3>
          <p>You have completed this course. Which name shall stand on the certificate?</p>
          <NameFormLater courseId={courseId} button="Get the certificate" />
        </li>
      ))}
      {issued.map((certificate) => (
        <li className="certificate-row" key={certificate.code}>
          <CertificateRow certificate={certificate} />
        </li>
      ))}
    </ul>
  );
}

import type { CertificateList, NearestCertificate } from '../../contracts/schema';
import { CertificateRows } from '../certificates/CertificateRows';
import { LearningPart } from '../LearningPart';

type CertificatesProps = { certificates: CertificateList; nearest: NearestCertificate | null };

// The others are in the whole list.
const SHOWN = 3;

/** The learner's certificates; before the first one, the nearest and what it still needs. */
export function Certificates({ certificates, nearest }: CertificatesProps) {
  const { issued, unnamed } = certificates;
  const link =
    issued.length > SHOWN ? { href: '/user-dashboard?list=certificates', text: 'All certificates' } : null;
  return (
    <LearningPart title="Certificates" link={link} className="panel learning-part--card">
      {issued.length + unnamed.length > 0 ? (
        <CertificateRows certificates={{ unnamed, issued: issued.slice(0, SHOWN) }} />
      ) : (
        <NoCertificate nearest={nearest} />
      )}
    </LearningPart>
  );
}

function NoCertificate({ nearest }: Pick<CertificatesProps, 'nearest'>) {
  return (
    <p className="muted">
      {nearest ? (
        <>
          Nearest: <a href={nearest.course.href}>{nearest.course.name}</a>. {nearest.missing}
        </>
      ) : (
        'Complete a course, and its certificate stands here: a page anyone can check, a PDF, and a badge.'
      )}
    </p>
  );
}

import type { NearestCertificate } from '../../contracts/schema';
import { LearningPart } from '../LearningPart';

type CertificatesProps = { nearest: NearestCertificate | null };

/** The learner's certificates; before the first one, the nearest and what it still needs. */
export function Certificates({ nearest }: CertificatesProps) {
  return (
    <LearningPart title="Certificates" className="panel learning-part--card">
      <p className="muted">
        {nearest ? (
          <>
            Nearest: <a href={nearest.course.href}>{nearest.course.name}</a>. {nearest.missing}
          </>
        ) : (
          'Complete a course, and its certificate stands here: a page anyone can check, a PDF, and a badge.'
        )}
      </p>
    </LearningPart>
  );
}

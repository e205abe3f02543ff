import { certificate } from '../../fixtures/learning/learning';
import { CertificateRows } from '../../learning/certificates/CertificateRows';
import { QuizScores } from '../../learning/course/QuizScores';
import { State } from '../guide/Guide';

const UNNAMED = [{ courseId: 12, courseName: 'Delegation That Holds', courseHref: '#learning' }];
const NO_FILES = { pdfHref: null, badgeHref: null, linkedInHref: null };
const ISSUED = [
  certificate({ code: 'a', courseId: 1, expiresAt: null, renewableFrom: null }),
  certificate({ code: 'b', courseId: 2, canCorrectName: true }),
  certificate({ code: 'c', courseId: 3, state: 'expired', expiresAt: '2026-08-02T09:00:00Z' }),
  certificate({ code: 'd', courseId: 4, holder: 'ᚨᛞᚨ', isNamePrintable: false }),
  certificate({
    code: 'e',
    courseId: 5,
    state: 'revoked',
    reason: 'It was revoked because the course was refunded.',
    ...NO_FILES,
  }),
];
const SCORES = [
  { lesson: 3, title: 'Check: rows and columns', percent: 85, isPassed: true, attempts: 2 },
  { lesson: 9, title: 'Check: joins', percent: 60, isPassed: false, attempts: 1 },
];

/** A learner's own certificates and results. */
export function CertificateStates() {
  return (
    <>
      <State label="Certificates: a name is missing; without an end, can be corrected, expired, a name the PDF cannot write, revoked">
        <CertificateRows certificates={{ unnamed: UNNAMED, issued: ISSUED }} />
      </State>
      <State label="Results of quizzes, after the access">
        <QuizScores scores={SCORES} />
      </State>
    </>
  );
}

import type { CertificateCard } from '../../contracts/schema';
import { post } from '../client';

/** Issues the certificate that waits for a name, or corrects the name once. May reject with ApiProblem. */
export const putCertificateName = (courseId: number, name: string) =>
  post<CertificateCard>(`/learning/courses/${courseId}/certificate`, { name });

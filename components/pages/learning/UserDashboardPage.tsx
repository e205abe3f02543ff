import type { UserDashboardProps } from '../../contracts/schema';
import { PrivateContent } from '../../layouts/PrivateContent';
import { LearningView } from '../../learning/page/LearningView';

/** Client navigation waits for the style sheet; a document links it already. */
export function UserDashboardPage({ styleHref, learning }: Partial<UserDashboardProps>) {
  return (
    <PrivateContent data={learning} staysReadable={learning?.view === 'lesson'}>
      {(own, session) => (
        <>
          <link rel="stylesheet" href={styleHref} precedence="page" />
          <LearningView view={own} session={session} />
        </>
      )}
    </PrivateContent>
  );
}

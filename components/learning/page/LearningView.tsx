import type { Session } from '../../browser/session/session';
import type { UserDashboardProps } from '../../contracts/schema';
import { AccessOver } from '../course/AccessOver';
import { CoursePage } from '../course/CoursePage';
import { MissingLesson } from '../course/MissingLesson';
import { NotOwned } from '../course/NotOwned';
import { Dashboard } from '../dashboard/Dashboard';
import { WholeList } from '../dashboard/WholeList';
import { Player } from '../player/Player';
import { useOfflinePages } from '../state/useOfflinePages';
import { useProgressQueue } from '../state/useProgressQueue';
import { OfflineNote } from './OfflineNote';

export type LearningData = UserDashboardProps['learning'];
type LearningViewProps = { view: LearningData; session: Session };

/** What /user-dashboard shows, by its query. */
export function LearningView({ view, session }: LearningViewProps) {
  useProgressQueue(session.learner.id);
  const offline = useOfflinePages();
  return (
    <>
      <OfflineNote {...offline} view={view.view ?? 'dashboard'} madeAt={session.now} />
      <ViewOf view={view} session={session} />
    </>
  );
}

function ViewOf({ view, session }: LearningViewProps) {
  switch (view.view) {
    case 'dashboard':
      return <Dashboard dashboard={view.dashboard} learner={session.learner} />;
    case 'course':
      return (
        <CoursePage
          course={view.course}
          search={view.search}
          review={view.review}
          certificates={view.certificates}
        />
      );
    case 'lesson':
      return <Player key={view.lesson.id} view={view} session={session} />;
    case 'missing-lesson':
      return <MissingLesson course={view.course} message={view.message} />;
    case 'not-owned':
      return <NotOwned view={view} />;
    case 'access-over':
      return <AccessOver view={view} />;
    case 'courses':
    case 'orders':
    case 'certificates':
      return <WholeList view={view} />;
  }
}

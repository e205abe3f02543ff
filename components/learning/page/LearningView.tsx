import { useSyncExternalStore } from 'react';
import { refusedProgress } from '../../api/learning/progress';
import type { Session } from '../../browser/session/session';
import type { UserDashboardProps } from '../../contracts/schema';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { useLater } from '../../ui/loading/useLater';
import { CoursePage } from '../course/CoursePage';
import { Dashboard } from '../dashboard/Dashboard';
import { LaterPart } from '../LaterPart';
import { Player } from '../player/Player';
import { type OfflineState, useOfflinePages } from '../state/useOfflinePages';
import { useProgressQueue } from '../state/useProgressQueue';
import type { OfflineTextProps } from './OfflineText';

type LearningData = UserDashboardProps['learning'];
type LearningViewProps = { view: LearningData; session: Session };

const loadRefused = () =>
  loadOrReload(import('./RefusedProgress')).then(({ RefusedProgress }) => RefusedProgress);
const loadRareView = () => loadOrReload(import('./RareView')).then(({ RareView }) => RareView);

/** What /user-dashboard shows, by its query. */
export function LearningView({ view, session }: LearningViewProps) {
  useProgressQueue(session.learner.id);
  const offline = useOfflinePages();
  const refused = useSyncExternalStore(refusedProgress.subscribe, refusedProgress.get, refusedProgress.get);
  return (
    <>
      {refused.length > 0 && (
        <LaterPart load={loadRefused} props={{ learner: session.learner.id, entries: refused }} />
      )}
      <OfflineNote {...offline} view={view.view ?? 'dashboard'} madeAt={session.now} />
      <ViewOf view={view} session={session} />
    </>
  );
}

function ViewOf({ view, session }: LearningViewProps) {
  switch (view.view) {
    case 'dashboard':
      return (
        <Dashboard
          dashboard={view.dashboard}
          learner={session.learner}
          gift={view.gift}
          seats={view.seats}
          join={view.join}
          failed={view.failed}
        />
      );
    case 'course':
      return (
        <CoursePage
          course={view.course}
          search={view.search}
          review={view.review}
          certificates={view.certificates}
          refund={view.refund}
          closure={view.closure}
        />
      );
    case 'lesson':
      return <Player key={view.lesson.id} view={view} session={session} />;
    default:
      return (
        <LaterPart load={loadRareView} props={{ view }} placeholder={<div className="loading-view" />} />
      );
  }
}

type OfflineNoteProps = OfflineState & Omit<OfflineTextProps, 'wasRefused'>;

const loadText = () => loadOrReload(import('./OfflineText')).then(({ OfflineText }) => OfflineText);

/**
 * Says that there is no connection, and what that means here. It lies over the page: nothing moves. Its code loads after
 * the page, while there is one.
 */
function OfflineNote({ isOnline, ...about }: OfflineNoteProps) {
  const Text = useLater(loadText);
  return (
    <div className="offline" role="status">
      {!isOnline && Text && <Text {...about} />}
    </div>
  );
}

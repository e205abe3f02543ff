import { useEffect } from 'react';
import {
  sendProgress,
  sendProgressAtOnce,
  showUnsentLesson,
  showUnsentProgress,
} from '../../api/learning/progress';
import { knownProgress } from '../../browser/progress/knownProgress';
import { watchProgress } from '../../browser/progress/watchProgress';
import { onSignInChange, serverNow } from '../../browser/session/session';

/**
 * Sends the learner's progress that waits in this browser: with this page, when the connection is back, and when the
 * page is left or hidden. What other tabs record is shown here.
 */
export function useProgressQueue(learner: number): void {
  useEffect(() => {
    showUnsentProgress(learner);
    void sendProgress(learner);
    const stopWatching = watchProgress(learner, {
      onOnline: () => void sendProgress(learner),
      onHide: () => sendProgressAtOnce(learner),
      onOtherTab: (lesson, entry) =>
        entry ? showUnsentLesson(entry) : knownProgress.confirm(lesson, serverNow()),
    });
    const stopSignIn = onSignInChange(knownProgress.clear);
    return () => {
      stopWatching();
      stopSignIn();
    };
  }, [learner]);
}

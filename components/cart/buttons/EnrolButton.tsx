import { type MouseEvent, useEffect, useState } from 'react';
import { useAuth } from '../../api/auth';
import { takeEnrolment } from '../../browser/storage/pendingEnrolment';
import { AddForm } from '../../forms/AddForm';
import { Icon } from '../../ui/Icon';
import { loadOrReload } from '../../ui/loading/lazyModule';

const load = () => import('../actions/enrolNow');

/**
 * Enrols in a free course by one press, without the cart. Whoever went to sign in for it comes back to this page, which
 * goes on by itself. Without script it posts its form.
 */
export function EnrolButton({ course }: { course: { id: number } }) {
  const { learner } = useAuth();
  const [isBusy, setIsBusy] = useState(false);
  const { id } = course;

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each learner who signs in
  useEffect(() => {
    if (learner && takeEnrolment(id)) void enrol();
  }, [learner?.id, id]);

  async function enrol() {
    setIsBusy(true);
    try {
      const { enrolNow } = await loadOrReload(load());
      await enrolNow(id);
    } finally {
      setIsBusy(false);
    }
  }

  function press(event: MouseEvent) {
    event.preventDefault();
    if (!isBusy) void enrol();
  }

  return (
    <AddForm action="enrol">
      <button
        type="submit"
        className="add add--wide"
        name="id"
        value={id}
        aria-disabled={isBusy}
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={press}
      >
        <Icon name="play" />
        {isBusy ? 'Enrolling…' : 'Enrol for free'}
      </button>
    </AddForm>
  );
}

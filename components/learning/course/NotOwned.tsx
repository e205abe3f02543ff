import type { NotOwnedView } from '../../contracts/schema';
import { BackLink } from '../BackLink';

/** A course that the learner does not have: what it is, and where to get it. */
export function NotOwned({ view: { course, subtitle, isSold } }: { view: NotOwnedView }) {
  return (
    <div className="learning stack">
      <header className="course-head">
        <img className="picture course-head__picture" {...course.picture} alt="" />
        <div className="course-head__body stack">
          <BackLink href="/user-dashboard" text="My learning" />
          <h1 dir="auto">{course.name}</h1>
          <p className="muted">{subtitle}</p>
          <p>You do not have this course{isSold ? '' : ', and it is no longer sold'}.</p>
          <div className="row">
            <a className="button" href={course.href}>
              {isSold ? 'See the course' : 'What it was'}
            </a>
          </div>
        </div>
      </header>
    </div>
  );
}

import type {
  Dashboard as DashboardData,
  GiftCard as GiftCardData,
  SessionInfo,
} from '../../contracts/schema';
import { PanelBoundary } from '../../ui/loading/ErrorPanel';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { LaterPart } from '../LaterPart';
import { Certificates } from './Certificates';
import { Continue } from './Continue';
import { LearningNav } from './LearningNav';
import { MyCourses } from './MyCourses';
import { Notices } from './Notices';
import { Orders } from './Orders';

type DashboardProps = {
  dashboard: DashboardData;
  learner: SessionInfo['learner'];
  gift?: GiftCardData | null;
};

const loadGift = () => loadOrReload(import('../gifts/GiftCard')).then(({ GiftCard }) => GiftCard);
const loadInvite = () => loadOrReload(import('./Invite')).then(({ Invite }) => Invite);
const loadNextCourses = () => loadOrReload(import('./NextCourses')).then(({ NextCourses }) => NextCourses);

/** Everything of a learner on one page, what to do next first. */
export function Dashboard({ dashboard, learner, gift = null }: DashboardProps) {
  const { ongoing, courses, orders, recommended, studentNumber, inviteHref } = dashboard;
  return (
    <div className="learning stack">
      <header className="learning__head row">
        <h1>{greeting(learner.name)}</h1>
        {dashboard.organisations.map(({ name, logo }) => (
          <p className="learning__organisation" key={name}>
            {logo ? <img src={logo} alt={name} height={32} width={112} /> : name}
          </p>
        ))}
      </header>
      {courses.length > 0 && <LearningNav />}
      {gift && (
        <LaterPart
          key={gift.token}
          load={loadGift}
          props={{ gift, learner }}
          placeholder={<div className="panel gift-card gift-card--waiting" />}
        />
      )}
      <Notices notices={dashboard.notices} />
      <PanelBoundary title="Where you left off could not be shown">
        <Continue ongoing={ongoing} hasCourses={courses.length > 0} />
      </PanelBoundary>
      <div className="learning__columns stack">
        {courses.length > 0 && (
          <PanelBoundary title="Your courses could not be shown">
            <MyCourses courses={courses} hasMore={dashboard.hasMoreCourses} />
          </PanelBoundary>
        )}
        <div className="learning__aside stack">
          <PanelBoundary title="Your certificates could not be shown">
            <Certificates certificates={dashboard.certificates} nearest={dashboard.nearestCertificate} />
          </PanelBoundary>
          <PanelBoundary title="Your orders could not be shown">
            <Orders orders={orders} hasMore={dashboard.hasMoreOrders} />
          </PanelBoundary>
          {studentNumber && (
            <LaterPart
              load={loadInvite}
              props={{ number: studentNumber, href: inviteHref }}
              placeholder={<div className="invite__place" />}
            />
          )}
        </div>
      </div>
      <PanelBoundary title="Courses for you could not be shown">
        {recommended.length > 0 && (
          <LaterPart
            load={loadNextCourses}
            props={{ courses: recommended }}
            placeholder={<div className="next-courses__place" />}
          />
        )}
      </PanelBoundary>
    </div>
  );
}

function greeting(name: string): string {
  const first = name.trim().split(/\s+/)[0];
  return first ? `Welcome back, ${first}` : 'My learning';
}

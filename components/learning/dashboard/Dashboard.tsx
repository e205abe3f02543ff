import type { Dashboard as DashboardData, SessionInfo } from '../../contracts/schema';
import { PanelBoundary } from '../../ui/loading/ErrorPanel';
import { Certificates } from './Certificates';
import { Continue } from './Continue';
import { Invite } from './Invite';
import { MyCourses } from './MyCourses';
import { NextCourses } from './NextCourses';
import { Notices } from './Notices';
import { Orders } from './Orders';

type DashboardProps = { dashboard: DashboardData; learner: SessionInfo['learner'] };

/** Everything of a learner on one page, what to do next first. */
export function Dashboard({ dashboard, learner }: DashboardProps) {
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
      <Notices notices={dashboard.notices} />
      <PanelBoundary title="Where you left off could not be shown">
        <Continue ongoing={ongoing} hasCourses={courses.length > 0} />
      </PanelBoundary>
      <div className="learning__columns stack">
        <PanelBoundary title="Your courses could not be shown">
          <MyCourses courses={courses} hasMore={dashboard.hasMoreCourses} />
        </PanelBoundary>
        <div className="learning__aside stack">
          <PanelBoundary title="Your certificates could not be shown">
            <Certificates certificates={dashboard.certificates} nearest={dashboard.nearestCertificate} />
          </PanelBoundary>
          <PanelBoundary title="Your orders could not be shown">
            <Orders orders={orders} hasMore={dashboard.hasMoreOrders} />
          </PanelBoundary>
          {studentNumber && <Invite number={studentNumber} href={inviteHref} />}
        </div>
      </div>
      <PanelBoundary title="Courses for you could not be shown">
        <NextCourses courses={recommended} />
      </PanelBoundary>
    </div>
  );
}

function greeting(name: string): string {
  const first = name.trim().split(/\s+/)[0];
  return first ? `Welcome back, ${first}` : 'My learning';
}

import { useState } from 'react';
import { useRefresh } from '../../api/session/privatePage';
import type {
  Dashboard as DashboardData,
  DashboardNotice,
  DashboardView,
  GiftCard as GiftCardData,
  JoinOffers,
  SeatsCard,
  SessionInfo,
} from '../../contracts/schema';
import { ErrorPanel, PanelBoundary } from '../../ui/loading/ErrorPanel';
import { loadOrReload } from '../../ui/loading/lazyModule';
import { Notice } from '../../ui/Notice';
import { LaterPart } from '../LaterPart';
import { Certificates } from './Certificates';
import { Continue } from './Continue';
import { LearningNav } from './LearningNav';
import { Materials } from './Materials';
import { MyCourses } from './MyCourses';
import { Orders } from './Orders';

type DashboardProps = {
  dashboard: DashboardData;
  learner: SessionInfo['learner'];
  gift?: GiftCardData | null;
  seats?: SeatsCard | null;
  join?: JoinOffers;
  failed?: DashboardView['failed'];
};

const loadGift = () => loadOrReload(import('../gifts/GiftCard')).then(({ GiftCard }) => GiftCard);
const loadSeats = () => loadOrReload(import('../seats/SeatsPart')).then(({ SeatsPart }) => SeatsPart);
const loadJoin = () => loadOrReload(import('../joining/JoinCards')).then(({ JoinCards }) => JoinCards);
const loadInvite = () => loadOrReload(import('./Invite')).then(({ Invite }) => Invite);
const loadNextCourses = () => loadOrReload(import('./NextCourses')).then(({ NextCourses }) => NextCourses);

/** Everything of a learner on one page, what to do next first. */
export function Dashboard({
  dashboard,
  learner,
  gift = null,
  seats = null,
  join,
  failed = [],
}: DashboardProps) {
  const { ongoing, courses, orders, recommended, studentNumber, inviteHref } = dashboard;
  const shownGift = useGiftOfLink(gift);
  return (
    <div className="learning stack">
      <header className="learning__head row">
        <h1>{greeting(learner.name, courses.length > 0)}</h1>
        {dashboard.organisations.map(({ name, logo }) => (
          <p className="learning__organisation" key={name}>
            {logo ? <img src={logo} alt={name} height={32} width={112} /> : name}
          </p>
        ))}
      </header>
      {courses.length + orders.length > 0 && <LearningNav />}
      {failed.map((part) => (
        <FailedPart key={part} title={FAILED[part]} />
      ))}
      {shownGift && (
        <LaterPart
          key={shownGift.token}
          load={loadGift}
          props={{ gift: shownGift, learner }}
          placeholder={<div className="panel gift-card gift-card--waiting" />}
        />
      )}
      {join && (join.cards.length > 0 || join.refusal) && (
        <LaterPart
          load={loadJoin}
          props={{ join, learner }}
          placeholder={<div className="panel gift-card gift-card--waiting" />}
        />
      )}
      <Notices notices={dashboard.notices} />
      {seats && (
        <PanelBoundary title="Your seats could not be shown">
          <LaterPart
            load={loadSeats}
            props={{ seats }}
            placeholder={<div className="panel gift-card--waiting" />}
          />
        </PanelBoundary>
      )}
      <PanelBoundary title="Where you left off could not be shown">
        <Continue ongoing={ongoing} courses={courses} />
      </PanelBoundary>
      <div className="learning__columns stack">
        {courses.length > 0 && (
          <PanelBoundary title="Your courses could not be shown">
            <MyCourses courses={courses} hasMore={dashboard.hasMoreCourses} />
          </PanelBoundary>
        )}
        <div className="learning__aside stack">
          <PanelBoundary title="Your materials could not be shown">
            <Materials materials={dashboard.materials} hasMore={dashboard.hasMoreMaterials} />
          </PanelBoundary>
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

/** The gift stays on the page when its token has left the address and the page's data is loaded again. */
function useGiftOfLink(gift: GiftCardData | null): GiftCardData | null {
  const [last, setLast] = useState(gift);
  if (gift && gift !== last) setLast(gift);
  return gift ?? last;
}

const FAILED = {
  gift: 'Your gift could not be shown',
  seats: 'Your seats could not be shown',
  join: 'Organisations that you may join could not be shown',
};

/** A part that the host could not read now. */
function FailedPart({ title }: { title: string }) {
  const refresh = useRefresh();
  return (
    <ErrorPanel
      title={title}
      text="The rest of the page works."
      onRetry={() => void refresh().catch(() => undefined)}
    />
  );
}

function greeting(name: string, hasCourses: boolean): string {
  const first = name.trim().split(/\s+/)[0];
  return first ? `${hasCourses ? 'Welcome back' : 'Welcome'}, ${first}` : 'My learning';
}

/** What the learner may want to do now; absent without any. */
function Notices({ notices }: { notices: DashboardNotice[] }) {
  if (notices.length === 0) return null;
  return (
    <section className="stack learning__notices" aria-label="Notices">
      {notices.map(({ kind, title, text, action }) => (
        <Notice key={`${kind} ${title}`} title={title}>
          <p>{text}</p>
          {action && (
            <a className="button button--quiet" href={action.href}>
              {action.name}
            </a>
          )}
        </Notice>
      ))}
    </section>
  );
}

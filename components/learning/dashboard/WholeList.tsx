import { useSite } from '../../api/site';
import type {
  CertificateList,
  CertificatesView,
  CoursesView,
  OrdersView,
  PageLinks,
} from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { EmptyState } from '../../ui/EmptyState';
import { Pagination } from '../../ui/Pagination';
import { BackLink } from '../BackLink';
import { CertificateRows } from '../certificates/CertificateRows';
import { CourseRows } from './MyCourses';
import { OrderRows } from './Orders';

type ListData = CoursesView | OrdersView | CertificatesView;

const TITLES = { courses: 'My courses', orders: 'My orders', certificates: 'My certificates' } as const;

/** A whole list of the dashboard, 24 a page. */
export function WholeList({ view }: { view: ListData }) {
  const format = formatOf(useSite());
  const kind = view.view ?? 'courses';
  const address = `/user-dashboard?list=${kind}`;
  return (
    <div className="learning learning--narrow stack">
      <header>
        <BackLink href="/user-dashboard" text="My learning" />
        <h1>{TITLES[kind]}</h1>
      </header>
      <ListOf view={view} />
      <Pagination pagination={stepsOf(address, view.page, view.pages)} format={format} />
    </div>
  );
}

function stepsOf(address: string, page: number, pages: number): PageLinks {
  return {
    previous: page > 1 ? addressOf(address, page - 1) : null,
    next: page < pages ? addressOf(address, page + 1) : null,
    entries: [],
  };
}

const addressOf = (address: string, page: number) => (page === 1 ? address : `${address}&page=${page}`);

function ListOf({ view }: { view: ListData }) {
  switch (view.view) {
    case 'courses':
      return view.courses.length > 0 ? (
        <CourseRows courses={view.courses} heading="h2" />
      ) : (
        <Empty text="No courses yet" />
      );
    case 'orders':
      return view.orders.length > 0 ? (
        <div className="panel learning-part--card">
          <OrderRows orders={view.orders} />
        </div>
      ) : (
        <Empty text="No orders yet" />
      );
    case 'certificates':
      return <CertificatesOf {...view.certificates} />;
    default:
      return null;
  }
}

function CertificatesOf(certificates: CertificateList) {
  if (certificates.issued.length + certificates.unnamed.length === 0)
    return <Empty text="No certificates yet" />;
  return (
    <div className="panel learning-part--card">
      <CertificateRows certificates={certificates} />
    </div>
  );
}

function Empty({ text }: { text: string }) {
  return (
    <EmptyState
      title={text}
      text="It fills as you learn."
      links={[{ href: '/shop', text: 'Find a course' }]}
    />
  );
}

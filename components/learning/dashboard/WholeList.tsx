import { useSite } from '../../api/site';
import type {
  CertificateList,
  CertificatesView,
  CoursesView,
  MaterialsView,
  NotesView,
  OrdersView,
  PageLinks,
} from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { EmptyState } from '../../ui/EmptyState';
import { Pagination } from '../../ui/Pagination';
import { BackLink } from '../BackLink';
import { CertificateRows } from '../certificates/CertificateRows';
import { NoteRows } from '../notes/NoteRows';
import { LearningNav } from './LearningNav';
import { MaterialRows } from './Materials';
import { CourseRows } from './MyCourses';
import { OrderRows } from './Orders';

type ListData = CoursesView | MaterialsView | OrdersView | CertificatesView | NotesView;

const TITLES = {
  courses: 'My courses',
  materials: 'My materials',
  notes: 'My notes',
  certificates: 'My certificates',
  orders: 'My orders',
} as const;

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
        <LearningNav current={kind} />
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
        <Empty title="No courses yet" text="They stand here with their lessons and how far you are." />
      );
    case 'orders':
      return view.orders.length > 0 ? (
        <div className="panel learning-part--card">
          <OrderRows orders={view.orders} />
        </div>
      ) : (
        <Empty title="No orders yet" text="What you order stands here, with its receipts." />
      );
    case 'materials':
      return view.materials.length > 0 ? (
        <div className="panel learning-part--card">
          <MaterialRows materials={view.materials} heading="h2" />
        </div>
      ) : (
        <Empty title="No materials yet" text="E-books and vouchers that you buy stand here." />
      );
    case 'notes':
      return view.notes.length > 0 ? (
        <NoteRows notes={view.notes} heading="h2" />
      ) : (
        <EmptyState
          title="No notes yet"
          text="Below every lesson is a place for one. Only you read them."
          links={[{ href: '/user-dashboard', text: 'Go on learning' }]}
        />
      );
    case 'certificates':
      return <CertificatesOf {...view.certificates} />;
    default:
      return null;
  }
}

function CertificatesOf(certificates: CertificateList) {
  if (certificates.issued.length + certificates.unnamed.length === 0)
    return (
      <Empty title="No certificates yet" text="Complete a course: its page says in words what that takes." />
    );
  return (
    <div className="panel learning-part--card">
      <CertificateRows certificates={certificates} heading="h2" />
    </div>
  );
}

function Empty(texts: { title: string; text: string }) {
  return <EmptyState {...texts} links={[{ href: '/shop', text: 'Find a course' }]} />;
}

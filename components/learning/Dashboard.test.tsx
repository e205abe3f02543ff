import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { holdServer } from '../fixtures/cartServer';
import { COURSES, dashboard, dashboardCourse, NEW_DASHBOARD } from '../fixtures/learning/learning';
import { renderLearning } from '../fixtures/learning/renderLearning';
import { SESSION } from '../fixtures/session';
import { Dashboard } from './dashboard/Dashboard';
import { WholeList } from './dashboard/WholeList';

const show = (data = dashboard(), learner = SESSION.learner) =>
  renderLearning(<Dashboard dashboard={data} learner={learner} />);
const part = (name: string) => within(screen.getByRole('region', { name }));
const heads = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

test('one button goes on where the learner left off', async () => {
  await show();
  const go = part('Continue learning');
  expect(go.getByRole('link', { name: 'Continue SQL for Spreadsheet People' })).toHaveAttribute(
    'href',
    '/user-dashboard?course=sql-for-spreadsheet-people&lesson=3',
  );
  expect(go.getAllByText('Check: rows and columns')[0]).toBeVisible();
  expect(go.getByText('2 of 5 lessons done · 28 min left')).toBeVisible();
  expect(go.getAllByRole('listitem')).toHaveLength(2);
});

test('a course says how far it is, what completes it, where it comes from and until when', async () => {
  await show();
  const rows = part('My courses').getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Under way.*2 of 5 lessons.*Finish all 5.*Bought, August 3, 2026$/),
    expect.stringMatching(
      /9 of 13.*Finish all 13 lessons\.A seat of your organisation, August 3, 2026.*Access until December 31, 2026$/,
    ),
    expect.stringMatching(/Not started.*0 of 15 lessons.*A gift, August 3, 2026$/),
    expect.stringMatching(/Completed.*12 of 12 lessons doneCompleted on July 2, 2026.*yours to keep$/),
  ]);
});

test('a course whose access is over says since when, and not that it is to keep', async () => {
  const ended = dashboardCourse({ state: 'ended', isRetired: true, accessUntil: '2026-08-31T09:00:00Z' });
  await show(dashboard({ ongoing: [], courses: [ended] }));
  expect(part('My courses').getByText(/Access ended on August 31, 2026 · No longer sold$/)).toBeVisible();
});

test('parts without content are absent or say what will be there', async () => {
  await show(NEW_DASHBOARD);
  expect(heads()).toEqual([
    'Find your first course',
    'Certificates',
    'Invite a colleague',
    'What to learn next',
  ]);
  expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Find a course' })).toHaveAttribute('href', '/shop');
});

test('a course that was not begun is started, and someone without a name is greeted without', async () => {
  await show(
    dashboard({ ongoing: [{ course: 11, resume: null }], courses: [dashboardCourse({ state: 'new' })] }),
    { ...SESSION.learner, name: '' },
  );
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('My learning');
  expect(part('Start learning').getByRole('link', { name: /^Start SQL/ })).toBeVisible();
});

test('what was bought besides courses is downloaded or shown here, and orders say what was bought', async () => {
  await show();
  const materials = part('Materials');
  expect(materials.getByRole('link', { name: /^Download controls\.epub/ })).toHaveAttribute(
    'href',
    '/order-files/K7Q2M9XDPLTR4W3Z/2/1',
  );
  expect(materials.getByText('MRDN-7K2Q-9XDP')).toBeVisible();
  expect(materials.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Copy MRDN-7K2Q-9XDP',
  ]);
  expect(part('Orders').getByRole('link', { name: 'SQL for Spreadsheet People and 1 more' })).toHaveAttribute(
    'href',
    '/order/K7Q2M9XDPLTR4W3Z',
  );
});

test('an order of nothing but free courses costs nothing in words', async () => {
  const orders = dashboard().orders.map((order) => ({ ...order, total: 0 }));
  await show(dashboard({ orders }));
  expect(part('Orders').getAllByText('Free')).toHaveLength(orders.length);
});

test('a course without lessons says so instead of counting none', async () => {
  await show(
    dashboard({ ongoing: [], courses: [dashboardCourse({ state: 'new', done: 0, needed: 0, percent: 0 })] }),
  );
  const row = part('My courses').getByRole('listitem');
  expect(row).toHaveTextContent('Its lessons are still to come.');
  expect(row).not.toHaveTextContent('Finish all');
});

test('a notice has its one action', async () => {
  await show();
  expect(part('Notices').getByRole('link', { name: 'I still need it' })).toBeVisible();
});

test('a whole list leads to its other pages', async () => {
  await renderLearning(<WholeList view={{ view: 'courses', courses: COURSES, page: 2, pages: 3 }} />);
  const pages = within(screen.getByRole('navigation', { name: 'Pages' })).getAllByRole('link');
  expect(pages.map((link) => link.getAttribute('href'))).toEqual([
    '/user-dashboard?list=courses',
    '/user-dashboard?list=courses&page=3',
  ]);
});

test('a part that the host could not read says so with a button, and the rest is there', async () => {
  const calls = holdServer();
  await renderLearning(<Dashboard dashboard={dashboard()} learner={SESSION.learner} failed={['seats']} />);
  expect(screen.getByRole('alert')).toHaveTextContent('Your seats could not be shown');
  expect(part('My courses').getAllByRole('listitem')).toHaveLength(COURSES.length);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(calls).toHaveLength(1);
});

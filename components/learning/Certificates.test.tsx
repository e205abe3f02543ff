import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { certificate, dashboard } from '../fixtures/learning/learning';
import { renderLearning } from '../fixtures/learning/renderLearning';
import { Certificates } from './dashboard/Certificates';

const show = (
  issued = [certificate()],
  unnamed: Parameters<typeof Certificates>[0]['certificates']['unnamed'] = [],
) =>
  renderLearning(
    <Certificates certificates={{ issued, unnamed }} nearest={dashboard().nearestCertificate} />,
  );
const links = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);

test('a certificate can be checked, printed, kept as a badge and added to LinkedIn', async () => {
  await show();
  expect(links()).toEqual([
    ['SQL for Spreadsheet People', '/user-dashboard?course=sql-for-spreadsheet-people'],
    ['View certificate', '/verify-certificate/kZ3vN1x-Q9_aB7cD5eF2gH'],
    ['PDF to print', '/learning/certificates/kZ3vN1x-Q9_aB7cD5eF2gH.pdf'],
    ['Badge file', '/verify-certificate/kZ3vN1x-Q9_aB7cD5eF2gH/credential.jwt'],
    ['Add to LinkedIn', 'https://www.linkedin.com/profile/add?startTask=CERTIFICATION_NAME'],
  ]);
  expect(
    screen.getByText('Ada Lovelace · completed on July 2, 2026 · valid until July 2, 2028'),
  ).toBeVisible();
  expect(
    screen.getByText('From April 3, 2028 on, passing all quizzes of the course again renews it.'),
  ).toBeVisible();
  expect(screen.queryByText('Correct the name')).toBeNull();
});

test("a holder's name that is read from the right leaves the words behind it in their places", async () => {
  await show([certificate({ holder: 'שרה Haddad', expiresAt: null })]);
  expect(screen.getByText('\u2068שרה Haddad\u2069 · completed on July 2, 2026')).toBeVisible();
});

test('a revoked one says why and can only be checked', async () => {
  const none = { pdfHref: null, badgeHref: null, linkedInHref: null, renewableFrom: null };
  await show([
    certificate({ state: 'revoked', reason: 'It was revoked at the wish of its holder.', ...none }),
  ]);
  expect(links().map(([text]) => text)).toEqual(['SQL for Spreadsheet People', 'View certificate']);
  expect(screen.getByText('It was revoked at the wish of its holder.')).toBeVisible();
  expect(screen.getByText('Revoked')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByText(/renews it/)).toBeNull();
});

test('the name can be corrected while it may be, and what cannot be printed is said', async () => {
  await show([certificate({ canCorrectName: true, isNamePrintable: false })]);
  await userEvent.click(screen.getByText('Correct the name'));
  expect(screen.getByRole('textbox', { name: /^Full name/ })).toHaveValue('Ada Lovelace');
  expect(screen.getByText(/the PDF shows your student number instead/)).toBeVisible();
});

test('a completed course without a name asks for it, and an empty one makes no call', async () => {
  await show([], [{ courseId: 7, courseName: 'SQL', courseHref: '/user-dashboard?course=sql' }]);
  const part = within(screen.getByRole('region', { name: 'Certificates' }));
  await userEvent.click(part.getByRole('button', { name: 'Get the certificate' }));
  expect(part.getByText('Enter the name that the certificate shall carry.')).toBeVisible();
  expect(part.getByRole('textbox')).toHaveFocus();
});

test('the dashboard shows three, and leads to all of them', async () => {
  await show([1, 2, 3, 4].map((number) => certificate({ code: `c${number}` })));
  expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(3);
  expect(screen.getByRole('link', { name: 'All certificates' })).toHaveAttribute(
    'href',
    '/user-dashboard?list=certificates',
  );
});

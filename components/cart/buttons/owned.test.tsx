import { act, screen } from '@testing-library/react';
import { refreshAuth } from '../../api/auth';
import { clearLogin } from '../../browser/session/clearLogin';
import { saveSession } from '../../browser/session/session';
import { BOOK, COURSE, resetBrowser, signIn } from '../../fixtures/cartServer';
import { renderInShop } from '../../fixtures/renderInShop';
import { SESSION } from '../../fixtures/session';
import { AddButton } from './AddButton';
import { WideAddButton } from './WideAddButton';

beforeEach(() => {
  resetBrowser();
  signIn(7);
});

test.each(['card' as const, 'wide' as const])('an owned course is not sold again (%s)', (variant) => {
  const href = '/course-details?course=payroll-basics';
  const Button = variant === 'card' ? AddButton : WideAddButton;
  renderInShop(<Button product={{ ...COURSE, href }} />);
  expect(screen.getByRole('button')).toBeVisible();
  act(() => saveSession({ ...SESSION, owned: [BOOK.id, COURSE.id] }, 't'));
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getByRole('link', { name: 'Go to course: Payroll Basics' })).toHaveAttribute(
    'href',
    '/user-dashboard?course=payroll-basics',
  );
});

test('what somebody else owns can be added after a sign-out', () => {
  saveSession({ ...SESSION, owned: [COURSE.id] }, 't');
  renderInShop(<AddButton product={COURSE} />);
  act(() => {
    clearLogin();
    refreshAuth();
  });
  expect(screen.getByRole('button', { name: 'Add to cart: Payroll Basics' })).toBeVisible();
});

test('another product than the owned one has its button', () => {
  saveSession({ ...SESSION, owned: [BOOK.id] }, 't');
  renderInShop(<AddButton product={COURSE} />);
  expect(screen.getByRole('button', { name: 'Add to cart: Payroll Basics' })).toBeVisible();
});

test('a session of the build before, which does not say what is owned, hides no button', () => {
  const { owned: _, ...before } = SESSION;
  saveSession(before as typeof SESSION, 't');
  renderInShop(<AddButton product={COURSE} />);
  expect(screen.getByRole('button', { name: 'Add to cart: Payroll Basics' })).toBeVisible();
});

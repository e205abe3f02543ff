import { isLessonDone, knownProgress, positionOf } from './knownProgress';

const LESSON = { id: 3, isDone: false, position: 10 };
const NOW = 1000;

beforeEach(() => knownProgress.clear());
const isDone = (madeAt: number) => isLessonDone(LESSON, knownProgress.get(), madeAt);

test('nothing known: the page is right', () => {
  expect([isDone(NOW), positionOf(LESSON, knownProgress.get(), NOW)]).toEqual([false, 10]);
});

test('what waits to be sent is newer than any page', () => {
  knownProgress.add(3, { at: NOW, done: true });
  expect([isDone(NOW - 1), isDone(NOW + 99_999)]).toEqual([true, true]);
});

test('what was accepted is newer than pages made before or with it, and part of those made a minute later', () => {
  knownProgress.add(3, { at: NOW, done: true });
  knownProgress.confirm(3, NOW + 5);
  expect([isDone(NOW), isDone(NOW + 5000), isDone(NOW + 60_006)]).toEqual([true, true, false]);
});

test('a position says nothing of whether the lesson is done', () => {
  knownProgress.add(3, { at: NOW, position: 40 });
  expect([isDone(NOW), positionOf(LESSON, knownProgress.get(), NOW)]).toEqual([false, 40]);
});
